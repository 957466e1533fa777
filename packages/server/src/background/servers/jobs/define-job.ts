// One kind of look: its jobs, one for each server that has something to look after, and when each is due.
import type { Logger } from 'pino'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { pauseAfter, spread } from '../../../scheduling/back-off.ts'
import { createLoop } from '../../../scheduling/loop.ts'
import { createDueCheck } from './find-due.ts'
import type { Failure, Job, JobDefinition } from './server-job.ts'

export type ServerJob = {
  start(): void
  stop(): Promise<void>
  /** Further ones than were listed. */
  add(servers: readonly ServerAddress[]): void
  /** Looks at these servers as soon as may be: those that are being left alone, later. */
  wake(serverIds: Iterable<number>): void
  /** Its pause is over. */
  reset(serverId: number): void
  /** Asks for the list again. */
  listAgain(): void
  /** Soon looks at those of which the records ask for it. */
  checkDue(): void
  /** Asks for the list, looks at all of it that is not being left alone, and resolves when that is done. */
  runOnce(): Promise<void>
  jobs(): Iterable<Job>
}

type Parts = {
  readonly log: Logger
  readonly now: () => number
  readonly go: () => void
  readonly isQuiet: (serverId: number) => boolean
  readonly onList: () => void
}

const LONGEST_PAUSE_MS = 300_000

export function defineJob(kind: JobDefinition, { log, now, go, isQuiet, onList }: Parts): ServerJob {
  const jobs = new Map<number, Job & { failures: number }>()
  const waiting = new Map<number, PromiseWithResolvers<void>>()
  let isStarted = false
  let isStopped = false

  const add = (server: ServerAddress): void => {
    const known = jobs.get(server.id)
    if (known) known.server = server
    else jobs.set(server.id, newJob(server))
  }
  const newJob = (server: ServerAddress): Job & { failures: number } => {
    const job: Job & { failures: number } = {
      kind,
      server,
      pausedUntil: 0,
      isWanted: false,
      failures: 0,
      dueAt: isStarted ? now() + (kind.firstMs ?? 0) : Number.POSITIVE_INFINITY,
      run: kind.run,
      end: (failure) => {
        if (!failure) succeed(job)
        else if (!isStopped) tryAgain(job, failure)
        settle(server.id)
      },
    }
    return job
  }
  const succeed = (job: Job & { failures: number }): void => {
    if (job.failures > 0 && kind.over) log.info({ server: job.server.id }, kind.over)
    job.failures = 0
    job.dueAt = isStarted ? now() + spread(kind.everyMs) : Number.POSITIVE_INFINITY
  }
  const tryAgain = (job: Job & { failures: number }, { error, isOutOfReach }: Failure): void => {
    if (isStarted) job.dueAt = Math.min(job.dueAt, now())
    // Then the server is left alone, by all kinds.
    if (isOutOfReach) return
    if (job.failures === 0) log.warn({ err: error, server: job.server.id }, kind.trouble)
    job.failures += 1
    job.pausedUntil = now() + pauseAfter(job.failures, { firstMs: kind.retryMs, mostMs: LONGEST_PAUSE_MS })
  }

  const settle = (serverId: number): void => {
    waiting.get(serverId)?.resolve()
    waiting.delete(serverId)
  }
  const remove = (serverId: number): void => {
    jobs.delete(serverId)
    settle(serverId)
  }

  const list = async (): Promise<void> => {
    const servers = await kind.list()
    const ids = new Set(servers.map(({ id }) => id))
    for (const id of jobs.keys()) if (!ids.has(id)) remove(id)
    for (const server of servers) add(server)
    onList()
  }
  const listing = createLoop({
    everyMs: kind.listMs,
    work: () => list().then(go),
    onError: (error) => log.error({ err: error }, 'the servers to look at could not be read'),
  })
  const wake = (serverIds: Iterable<number>): void => {
    for (const id of serverIds) {
      const job = jobs.get(id)
      if (job) job.isWanted = true
    }
    go()
  }

  const sift = createDueCheck({
    log,
    wake,
    isDue: kind.isDue ?? (async () => true),
    servers: () => [...jobs.values()].map(({ server }) => server),
  })

  return {
    start: () => {
      isStarted = true
      for (const job of jobs.values()) job.dueAt = now() + (kind.firstMs ?? 0)
      listing.start()
    },
    stop: async () => {
      isStopped = true
      for (const id of waiting.keys()) settle(id)
      await Promise.all([listing.stop(), sift.stop()])
    },
    reset: (serverId) => {
      const job = jobs.get(serverId)
      if (job) job.pausedUntil = 0
    },
    listAgain: () => {
      if (isStarted) listing.wake()
    },
    checkDue: sift.ask,
    add: (servers) => servers.forEach(add),
    wake,
    runOnce: async () => {
      await list()
      const ready = [...jobs.values()].filter(({ server, pausedUntil }) => !isQuiet(server.id) && pausedUntil <= now())
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
