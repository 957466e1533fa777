// Follows the log of a task, also across restarts of the platform that outlast the retries of the typed client.
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, LogEvent } from '@shipway/api'
import { isTransient } from '../http/api-failure.ts'

export type RetryPolicy = { readonly retryMs: number; readonly patienceMs: number }
type FollowOptions = { readonly id: number; readonly signal: AbortSignal; readonly pace: RetryPolicy }

/** Each piece once, and `end` last. Permanent errors are thrown. */
export async function* followLog(
  client: Pick<Client, 'followTaskLog'>,
  { id, signal, pace }: FollowOptions,
): AsyncGenerator<LogEvent, void, undefined> {
  let offset = 0
  let lastContactAt = performance.now()
  for (;;) {
    try {
      for await (const event of client.followTaskLog({ params: { id }, query: { offset }, signal })) {
        lastContactAt = performance.now()
        if (event.type === 'output') offset = event.offset
        yield event
        if (event.type === 'end') return
      }
    } catch (error) {
      if (signal.aborted || !isTransient(error) || performance.now() - lastContactAt > pace.patienceMs) throw error
    }
    await pause(pace.retryMs, undefined, { signal })
  }
}
