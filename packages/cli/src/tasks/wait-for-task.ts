// Waits for a task and shows it: redrawn in place on a terminal, as lines elsewhere, silently with --json.
import type { Client, Task } from '@shipway/api'
import { CommandError, Interrupted } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { duration } from '../terminal/times.ts'
import { LineSplitter } from './line-splitter.ts'
import { LiveView } from './live-view.ts'
import { PlainView } from './plain-view.ts'
import { type Watcher, watchTask } from './watch-task.ts'

type WaitOptions = {
  readonly task: Task
  readonly title: string
  readonly timeoutMs: number | undefined
  /** Without a terminal, also print its output. */
  readonly showsOutput?: boolean
}

export async function waitForTask(ctx: Context, { task, timeoutMs, ...about }: WaitOptions): Promise<Task> {
  const client = await ctx.client()
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const signal = timeout ? AbortSignal.any([ctx.signal, timeout]) : ctx.signal
  const view = await openView(ctx, client, { task, ...about })
  try {
    return await watchTask(client, { id: task.id, watcher: view, signal })
  } catch (error) {
    if (ctx.signal.aborted) throw Detached(task.id)
    if (timeout?.aborted && timeoutMs !== undefined) throw TimedOut(task.id, timeoutMs)
    throw error
  } finally {
    view.end()
  }
}

type View = Watcher & { end(): void }

type ViewOptions = Pick<WaitOptions, 'task' | 'title' | 'showsOutput'>

async function openView(ctx: Context, client: Client, { showsOutput, ...about }: ViewOptions): Promise<View> {
  if (ctx.flags.json) return { onTask: () => undefined, onSilence: () => undefined, end: () => undefined }
  if (ctx.err.isTerminal && !ctx.config.isDumbTerminal) {
    const view = new LiveView(ctx.err, { ...about, usual: await usualTimes(client, about.task) })
    return {
      onTask: (task) => view.onTask(task),
      onOutput: (text) => view.onOutput(text),
      onSilence: (isSilent) => view.onSilence(isSilent),
      end: () => view.end(),
    }
  }
  const view = new PlainView((line) => ctx.err.print(line))
  const lines = new LineSplitter((line) => ctx.err.print(line))
  return {
    onTask: (task) => view.onTask(task),
    ...(showsOutput && { onOutput: (text) => lines.add(text) }),
    onSilence: (isSilent) => view.onSilence(isSilent),
    end: () => lines.end(),
  }
}

/** The phases of the last successful task of this kind: which to expect, and how long they take. */
async function usualTimes(client: Client, { environment_id: id, kind }: Task): Promise<ReadonlyMap<string, number>> {
  const [before] = await client
    .listTasks({ params: { id }, query: { kind, status: 'succeeded', limit: 1 } })
    // The view works without them.
    .catch(() => [])
  return new Map(before?.phases.map(({ name, duration_ms }) => [name, duration_ms ?? 0]))
}

const Detached = (id: number): CommandError =>
  Interrupted(`Detached. Task ${id} goes on.`, `Watch it: shipway tasks log ${id} -f`)

const TimedOut = (id: number, ms: number): CommandError =>
  new CommandError(`Task ${id} has not ended within ${duration(ms)}. It goes on.`, {
    code: 'wait_timed_out',
    exitCode: EXIT.timedOut,
    advice: [`Watch it: shipway tasks log ${id} -f`],
    fields: { task_id: id },
  })
