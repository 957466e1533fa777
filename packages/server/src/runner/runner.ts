// Takes queued tasks and runs them, as many at once as the settings allow, and takes over the tasks of dead processes.
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { createLoop } from '../scheduling/loop.ts'
import { createEncryptedCache } from '../secrets/encrypted-cache.ts'
import { isCancelRequested, type Lease, renewLease, type TakenTask, takeTask } from '../store/tasks/task-queue.ts'
import type { StopReason } from './run-stop.ts'
import { runTask } from './run-task.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'

const RENEW_MS = 10_000
/** Fallback for lost events; also how soon an expired lease of a dead process is noticed. */
const POLL_MS = 5_000

export type Runner = { start(): void; stop(): Promise<void> }

/** Most outputs of `compose config` take a few kibibytes. */
const COMPOSE_CONFIG_LIMITS = { entries: 200, entryBytes: 64 * 1024 }

export function createRunner(ctx: Context, options: Omit<RunnerDependencies, 'composeConfigs'>): Runner {
  const dependencies = { ...options, composeConfigs: createEncryptedCache(COMPOSE_CONFIG_LIMITS) }
  const worker = randomUUID()
  const running = new Map<number, { lease: Lease; stopper: AbortController; ended: Promise<void> }>()

  const takeAll = async (signal: AbortSignal): Promise<void> => {
    const limits = { worker, mostInAll: ctx.config.mostTasks, mostPerServer: ctx.config.mostTasksPerServer }
    while (!signal.aborted) {
      const taken = await ctx.change(PLATFORM, (tx) => takeTask(tx, limits))
      if (!taken) return
      begin(taken)
    }
  }

  const begin = (lease: TakenTask): void => {
    // A process that slept past its lease may take its own task over.
    const earlier = running.get(lease.taskId)
    if (earlier) stop(earlier.stopper, 'lost')
    const stopper = new AbortController()
    const ended = run(lease, stopper)
      .catch((error: unknown) =>
        ctx.log.error({ err: error, task: lease.taskId }, 'a task ended with an error; another worker takes it over'),
      )
      .finally(() => {
        if (running.get(lease.taskId)?.lease === lease) running.delete(lease.taskId)
        taking.wake()
      })
    running.set(lease.taskId, { lease, stopper, ended })
  }

  const run = async (lease: TakenTask, stopper: AbortController): Promise<void> => {
    // The cancel request may have reached a process that has died since.
    if (await isCancelRequested(ctx.db, lease.taskId)) stop(stopper, 'canceled_by_user')
    const timeLimit = limitTime(stopper, ctx.config.taskMinutes * 60_000 - lease.ranMs)
    await runTask(ctx, dependencies, lease, stopper.signal).finally(() => clearTimeout(timeLimit))
  }

  const renewAll = async (): Promise<void> => {
    for (const { lease, stopper } of running.values()) {
      if (!(await renewLease(ctx.db, lease))) stop(stopper, 'lost')
      else if (await isCancelRequested(ctx.db, lease.taskId)) stop(stopper, 'canceled_by_user')
    }
  }

  const taking = createLoop({
    everyMs: POLL_MS,
    work: takeAll,
    onError: (error) => ctx.log.error({ err: error }, 'the queue could not be read'),
  })
  const renewing = createLoop({
    everyMs: RENEW_MS,
    startsWithPause: true,
    work: renewAll,
    onError: (error) => ctx.log.error({ err: error }, 'leases could not be renewed'),
  })
  const stopRunning = (): void => {
    for (const { stopper } of running.values()) stop(stopper, 'stopping')
  }
  let endListening: () => void = () => undefined
  return {
    start: () => {
      endListening = ctx.bus.listen((event) => {
        if (event.about === 'queue') taking.wake()
        const asked = event.about === 'cancel' ? running.get(event.id) : undefined
        if (asked) stop(asked.stopper, 'canceled_by_user')
      })
      taking.start()
      renewing.start()
    },
    stop: async () => {
      endListening()
      const stopped = Promise.all([taking.stop(), renewing.stop()])
      stopRunning()
      await stopped
      // Tasks that were taken in the meantime.
      stopRunning()
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

/** `leftMs` excludes the time that earlier processes have spent on the task. */
function limitTime(stopper: AbortController, leftMs: number): NodeJS.Timeout | undefined {
  if (leftMs > 0) return setTimeout(() => stop(stopper, 'timed_out'), leftMs)
  stop(stopper, 'timed_out')
}

function stop(stopper: AbortController, reason: StopReason): void {
  stopper.abort(reason)
}
