/**
 * Watches a task until it ends: polls it every half second, and follows its log. Survives lost connections and restarts of the
 * platform. The watcher does not see how, so that the transport can be replaced.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Task } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { isTransient } from '../http/api-failure.ts'

export type Watcher = {
  onTask(task: Task): void
  /** Output of the task. Without it the log is not followed. */
  readonly onOutput?: (text: string) => void
  /** The platform stopped answering, or answers again. */
  onSilence(isSilent: boolean): void
}

type TaskClient = Pick<Client, 'getTask' | 'followTaskLog'>
type WatchOptions = {
  readonly id: number
  readonly watcher: Watcher
  readonly signal: AbortSignal
  readonly pace?: Polling
}
export type RetryPolicy = { readonly retryMs: number; readonly giveUpAfterMs: number }
type Polling = RetryPolicy & {
  readonly pollMs: number
  /** How long to wait for the rest of the log after the task has ended. */
  readonly lastOutputMs: number
}

/** A restart may take minutes if it migrates the database. */
export const DEFAULT_POLLING: Polling = {
  pollMs: 500,
  retryMs: 2_000,
  giveUpAfterMs: 10 * 60_000,
  lastOutputMs: 10_000,
}

/** Rejects with the reason of the signal if that is aborted first. */
export async function watchTask(
  client: TaskClient,
  { pace = DEFAULT_POLLING, ...watching }: WatchOptions,
): Promise<Task> {
  const over = new AbortController()
  const signal = AbortSignal.any([watching.signal, over.signal])
  // The polling below reports the same failure.
  const output = followOutput(client, { ...watching, signal, pace }).catch(() => undefined)
  try {
    const task = await pollUntilFinished(client, { ...watching, signal, pace })
    // Its last output may still be on its way. Waiting rejects only when the signal is aborted, and the task has ended all the same.
    await Promise.race([output, wait(pace.lastOutputMs, signal).catch(() => undefined)])
    return task
  } finally {
    over.abort()
    await output
  }
}

type PolledWatch = WatchOptions & { readonly pace: Polling }

async function pollUntilFinished(client: TaskClient, { id, watcher, signal, pace }: PolledWatch): Promise<Task> {
  let silentSince: number | undefined
  for (;;) {
    try {
      const task = await client.getTask({ params: { id }, signal })
      if (silentSince !== undefined) watcher.onSilence(false)
      silentSince = undefined
      watcher.onTask(task)
      if (task.finished_at !== null) return task
    } catch (error) {
      signal.throwIfAborted()
      if (!isTransient(error)) throw error
      if (silentSince === undefined) watcher.onSilence(true)
      silentSince ??= performance.now()
      if (performance.now() - silentSince > pace.giveUpAfterMs) throw SilentForTooLong(id, pace.giveUpAfterMs)
    }
    await wait(silentSince === undefined ? pace.pollMs : pace.retryMs, signal)
  }
}

async function followOutput(client: TaskClient, { id, watcher, signal, pace }: PolledWatch): Promise<void> {
  if (!watcher.onOutput) return
  for await (const event of client.followTaskLog({ params: { id }, signal, giveUpAfterMs: pace.giveUpAfterMs })) {
    if (event.type === 'output') watcher.onOutput(event.text)
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal })
  } catch {
    signal.throwIfAborted()
  }
}

const SilentForTooLong = (id: number, ms: number): CommandError =>
  new CommandError(`The platform has not answered for ${Math.round(ms / 60_000)} minutes. Task ${id} goes on there`, {
    code: 'no_answer',
    advice: [`Watch it again later: shipway tasks log ${id} -f`],
  })
