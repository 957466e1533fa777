// One defined job: holds a job for each server of its list, and when each is due.
import type { Logger } from 'pino'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { jitter, jitteredBackOff } from '../../../scheduling/back-off.ts'
import { createLoop } from '../../../scheduling/loop.ts'
import { createDueCheck } from './find-due.ts'
import type { Failure, Job, JobDefinition } from './server-job.ts'

export type ServerJob = {
  start(): void
  stop(): Promise<void>
  /** Adds servers before the list is read again. */
  add(servers: readonly ServerAddress[]): void
  /** Runs on these servers as soon as possible; on those that are backed off, later. */
  wake(serverIds: Iterable<number>): void
  /** Ends the back-off of this job on a server. */
  reset(serverId: number): void
  /** Reads the list again. */
  relist(): void
  /** Runs soon on the servers for which `isDue` holds. */
  checkDue(): void
  /** Reads the list, runs on every server that is not backed off, and resolves when all runs have ended. */
  runOnce(): Promise<void>
  jobs(): Iterable<Job>
}

type Options = {
  readonly log: Logger
  readonly now: () => number
  readonly schedule: () => void
  readonly isBackedOff: (serverId: number) => boolean
  readonly onListed: () => void
}

type CountedJob = Job & { failures: number }

const MAX_BACK_OFF_MS = 300_000

export function defineJob(
  definition: JobDefinition,
  { log, now, schedule, isBackedOff, onListed }: Options,
): ServerJob {
  const jobs = new Map<number, CountedJob>()
  const waiting = new Map<number, PromiseWithResolvers<void>>()
  let isStarted = false
  let isStopped = false

  const add = (server: ServerAddress): void => {
    const known = jobs.get(server.id)
    if (known) known.server = server
    else jobs.set(server.id, newJob(server))
  }
  const newJob = (server: ServerAddress): CountedJob => {
    const job: CountedJob = {
      kind: definition,
      server,
      pausedUntil: 0,
      isRequested: false,
      failures: 0,
      dueAt: isStarted ? now() + (definition.initialDelayMs ?? 0) : Number.POSITIVE_INFINITY,
      run: definition.run,
      end: (failure) => {
        if (!failure) succeed(job)
        else if (!isStopped) retryLater(job, failure)
        resolveWaiting(server.id)
      },
    }
    return job
  }
  const succeed = (job: CountedJob): void => {
    if (job.failures > 0 && definition.recoveryMessage) log.info({ server: job.server.id }, definition.recoveryMessage)
    job.failures = 0
    job.dueAt = isStarted ? now() + jitter(definition.everyMs) : Number.POSITIVE_INFINITY
  }
  const retryLater = (job: CountedJob, { error, isUnreachable }: Failure): void => {
    if (isStarted) job.dueAt = Math.min(job.dueAt, now())
    // Then the server itself is backed off, for every job.
    if (isUnreachable) return
    if (job.failures === 0) log.warn({ err: error, server: job.server.id }, definition.failureMessage)
    job.failures += 1
    job.pausedUntil = now() + jitteredBackOff(job.failures, { firstMs: definition.retryMs, mostMs: MAX_BACK_OFF_MS })
  }

  const resolveWaiting = (serverId: number): void => {
    waiting.get(serverId)?.resolve()
    waiting.delete(serverId)
  }
  const remove = (serverId: number): void => {
    jobs.delete(serverId)
    resolveWaiting(serverId)
  }

  const list = async (): Promise<void> => {
    const servers = await definition.list()
    const ids = new Set(servers.map(({ id }) => id))
    for (const id of jobs.keys()) if (!ids.has(id)) remove(id)
    for (const server of servers) add(server)
    onListed()
  }
  const listing = createLoop({
    everyMs: definition.listEveryMs,
    work: () => list().then(schedule),
    onError: (error) => log.error({ err: error }, 'the servers of a job could not be listed'),
  })
  const wake = (serverIds: Iterable<number>): void => {
    for (const id of serverIds) {
      const job = jobs.get(id)
      if (job) job.isRequested = true
    }
    schedule()
  }

  const dueCheck = createDueCheck({
    log,
    wake,
    isDue: definition.isDue ?? (async () => true),
    servers: () => [...jobs.values()].map(({ server }) => server),
  })

  return {
    start: () => {
      isStarted = true
      for (const job of jobs.values()) job.dueAt = now() + (definition.initialDelayMs ?? 0)
      listing.start()
    },
    stop: async () => {
      isStopped = true
      for (const id of waiting.keys()) resolveWaiting(id)
      await Promise.all([listing.stop(), dueCheck.stop()])
    },
    reset: (serverId) => {
      const job = jobs.get(serverId)
      if (job) job.pausedUntil = 0
    },
    relist: () => {
      if (isStarted) listing.wake()
    },
    checkDue: dueCheck.request,
    add: (servers) => servers.forEach(add),
    wake,
    runOnce: async () => {
      await list()
      const ready = [...jobs.values()].filter(
        ({ server, pausedUntil }) => !isBackedOff(server.id) && pausedUntil <= now(),
      )
      const ends = ready.map(({ server: { id } }) => {
        const one = waiting.get(id) ?? Promise.withResolvers<void>()
        waiting.set(id, one)
        return one.promise
      })
      wake(ready.map(({ server }) => server.id))
      await Promise.all(ends)
    },
    jobs: () => jobs.values(),
  }
}
