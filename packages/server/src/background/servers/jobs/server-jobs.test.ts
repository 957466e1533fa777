// Jobs on servers: few run at once, silent servers delay no other, back-off grows, and a stop is immediate.
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../../test/steps.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { CommandStopped, type Host, localGit, ServerUnreachable } from '../../../remote/host.ts'
import type { JobDefinition, JobRun } from './server-job.ts'
import { createServerJobs, type ServerJobs } from './server-jobs.ts'

let serverJobs: ServerJobs
let time: number
let warnings: string[]
/** Servers that accept a connection and say nothing. */
let silent: Set<number>
let probed: number[]
let answers: [number, boolean][]
let probing: { now: number; max: number }

const address = (id: number): ServerAddress => ({
  id,
  name: `server ${id}`,
  connection: 'ssh',
  hostname: '127.0.0.1',
  port: 22,
  unixUser: 'u',
  hostKey: null,
  principal: `shipway-1-${id}`,
  hasSignedIn: true,
  mayBePrivate: false,
  runtime: 'compose',
})
const servers = (from: number, count: number) => Array.from({ length: count }, (_, index) => address(from + index))

beforeEach(() => {
  time = 1_000_000
  warnings = []
  silent = new Set()
  probed = []
  probing = { now: 0, max: 0 }
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const host: Host = { name: 'host', git: localGit, run: stuck }
  const probe = async ({ id, name }: ServerAddress, signal: AbortSignal): Promise<void> => {
    probed.push(id)
    probing.now += 1
    probing.max = Math.max(probing.max, probing.now)
    try {
      if (silent.has(id)) await untilAborted(signal)
      if (down.has(id)) throw new ServerUnreachable('connect', `${name} is away`)
    } finally {
      probing.now -= 1
    }
  }
  answers = []
  const onReachability = (id: number, isReached: boolean): void => void answers.push([id, isReached])
  serverJobs = createServerJobs({ log }, { of: () => host, probe }, { now: () => time, onReachability })
  down.clear()
})
afterEach(() => serverJobs.stop())

/** Servers that refuse a connection. */
const down = new Set<number>()

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new CommandStopped('aborted'))))

/** A command that runs until it is stopped. */
const stuck: Host['run'] = (_, options) => untilAborted(options?.signal ?? new AbortController().signal)

const definitionOf = (
  list: readonly ServerAddress[],
  run: JobDefinition['run'],
  more: Partial<JobDefinition> = {},
): JobDefinition => ({
  failureMessage: 'the job failed',
  everyMs: 15_000,
  retryMs: 15_000,
  concurrency: 10,
  listEveryMs: 15_000,
  list: async () => list,
  run: run,
  ...more,
})

test('four jobs run at once, and each gets its turn', async () => {
  const seen = new Set<number>()
  let [now, max] = [0, 0]
  const run = async ({ server }: JobRun): Promise<void> => {
    now += 1
    max = Math.max(max, now)
    await turn()
    seen.add(server.id)
    now -= 1
  }
  await serverJobs.define(definitionOf(servers(1, 200), run)).runOnce()
  expect([seen.size, max]).toEqual([200, 4])
})

test('a job keeps to its concurrency, and one job at a time runs on a server', async () => {
  const max = new Map<string, number>()
  const now = new Map<string, number>()
  const counting =
    (name: string) =>
    async ({ server }: JobRun): Promise<void> => {
      const keys = [name, `server ${server.id}`]
      for (const key of keys) now.set(key, (now.get(key) ?? 0) + 1)
      for (const key of keys) max.set(key, Math.max(max.get(key) ?? 0, now.get(key) ?? 0))
      await turn()
      for (const key of keys) now.set(key, (now.get(key) ?? 0) - 1)
    }
  const all = servers(1, 10)
  const jobs = [
    serverJobs.define(definitionOf(all, counting('few'), { concurrency: 1 })),
    serverJobs.define(definitionOf(all, counting('many'))),
  ]
  await Promise.all(jobs.map((job) => job.runOnce()))
  expect(max.get('few')).toBe(1)
  expect(all.map(({ id }) => max.get(`server ${id}`))).toEqual(all.map(() => 1))
})

test('silent servers are probed without starting a job, and delay no other server', async () => {
  const silentServers = servers(1, 40)
  for (const { id } of silentServers) silent.add(id)
  const reached: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const run = async ({ server }: JobRun): Promise<void> => {
    reached.push(server.id)
    if (reached.length === 20) resolve()
  }
  const finished = serverJobs.define(definitionOf([...silentServers, ...servers(100, 20)], run)).runOnce()
  await promise
  expect(Math.min(...reached)).toBe(100)
  await serverJobs.stop()
  await finished
})

test('at max 128 servers are probed at once', async () => {
  const silentServers = servers(1, 500)
  for (const { id } of silentServers) silent.add(id)
  const finished = serverJobs.define(definitionOf(silentServers, async () => undefined)).runOnce()
  await until(() => probing.now === 128)
  await turn()
  await serverJobs.stop()
  await finished
  expect(probing.max).toBe(128)
})

test('an unreachable server is logged once, backed off by all jobs with growing pauses, and retried after a reset', async () => {
  down.add(1)
  const reached: string[] = []
  const note = (name: string) => async () => void reached.push(name)
  const one = serverJobs.define(definitionOf([address(1)], note('one')))
  const other = serverJobs.define(definitionOf([address(1)], note('other')))
  const attempts = async (): Promise<number> => {
    const before = probed.length
    await one.runOnce()
    await other.runOnce()
    return probed.length - before
  }
  expect(await attempts()).toBe(1)
  expect(await attempts()).toBe(0)
  await expect(serverJobs.runOnce(address(1), async () => 'there')).rejects.toThrow('did not answer lately')
  time += 15_000
  expect(await attempts()).toBe(1)
  // Twice as long, less up to a fifth of jitter.
  time += 23_000
  expect(await attempts()).toBe(0)
  time += 7_000
  expect(await attempts()).toBe(1)
  down.clear()
  serverJobs.reset(1)
  expect(await attempts()).toBe(1)
  expect([reached, warnings.length]).toEqual([['one', 'other'], 1])
  expect(await serverJobs.runOnce(address(1), async () => 'there')).toBe('there')
})

test('reachability is reported whichever job finds it out', async () => {
  down.add(1)
  const one = serverJobs.define(definitionOf([address(1), address(2)], async () => undefined))
  const other = serverJobs.define(definitionOf([address(1)], async () => undefined))
  await one.runOnce()
  await other.runOnce()
  expect(answers.toSorted()).toEqual([
    [1, false],
    [2, true],
  ])
  down.clear()
  serverJobs.reset(1)
  await other.runOnce()
  expect(answers.at(-1)).toEqual([1, true])
})

test('a job that fails for another reason backs off alone: other jobs on that server go on', async () => {
  let times = 0
  const failing = serverJobs.define(
    definitionOf([address(1)], async () => {
      times += 1
      throw new Error('HAProxy does not run')
    }),
  )
  let others = 0
  const other = serverJobs.define(definitionOf([address(1)], async () => void others++))
  for (let round = 0; round < 3; round++) {
    await failing.runOnce()
    await other.runOnce()
  }
  expect([times, others, warnings.length]).toEqual([1, 3, 1])
  time += 15_000
  await failing.runOnce()
  expect([times, warnings.length]).toEqual([2, 1])
  await expect(serverJobs.runOnce(address(1), () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
})

test('servers that were unreachable occupy few slots when they answer again', async () => {
  const all = servers(1, 8)
  for (const { id } of all) down.add(id)
  const gate = Promise.withResolvers<void>()
  let [now, max] = [0, 0]
  const run = async (): Promise<void> => {
    now += 1
    max = Math.max(max, now)
    await gate.promise
    now -= 1
  }
  const job = serverJobs.define(definitionOf(all, run))
  await job.runOnce()
  down.clear()
  time += 15_000
  const again = job.runOnce()
  await until(() => now === 2)
  await until(() => probing.now === 0)
  gate.resolve()
  await again
  expect(max).toBe(2)
})

test('a stop aborts running jobs and probes at once, and nothing starts after it', async () => {
  silent.add(2)
  let begun = 0
  const { promise: isRunning, resolve } = Promise.withResolvers<void>()
  const job = serverJobs.define(
    definitionOf([address(1), address(2)], async ({ host }) => {
      begun += 1
      resolve()
      await host().run(['sleep', '999'])
    }),
  )
  job.start()
  await isRunning
  const oneOff = serverJobs.runOnce(address(2), async () => undefined)
  await serverJobs.stop()
  await expect(oneOff).rejects.toThrow()
  job.wake([1, 2])
  expect([begun, probing.now, warnings]).toEqual([1, 0, []])
})

test('runOnce does not wait for a server that has left the list', async () => {
  silent.add(1)
  let list = [address(1)]
  const job = serverJobs.define(definitionOf([], async () => undefined, { list: async () => list }))
  const finished = job.runOnce()
  await turn()
  list = []
  await job.runOnce()
  await finished
})

test('a due check runs the job only on servers that are due', async () => {
  const due = new Set([3])
  const reached: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const run = async ({ server }: JobRun): Promise<void> => {
    reached.push(server.id)
    if (reached.length === 6) resolve()
  }
  const job = serverJobs.define(definitionOf(servers(1, 5), run, { isDue: async ({ id }) => due.has(id) }))
  await job.runOnce()
  probed = []
  // Long enough for each to have fallen silent since.
  time += 120_000
  job.checkDue()
  await promise
  expect([reached.slice(5), probed]).toEqual([[3], [3]])
})

test('an urgent job starts when it is due, and takes no slot from the others', async () => {
  const gate = Promise.withResolvers<void>()
  let slow = 0
  const others = serverJobs.define(
    definitionOf(servers(1, 4), async () => {
      slow += 1
      await gate.promise
    }),
  )
  const busy = others.runOnce()
  await until(() => slow === 4)
  const urgent = servers(100, 20)
  const reached = new Set<number>()
  const job = serverJobs.define(
    definitionOf(urgent, async ({ server }) => void reached.add(server.id), { isUrgent: true, concurrency: 8 }),
  )
  job.start()
  // Far sooner than one a second.
  await until(() => reached.size === urgent.length)
  gate.resolve()
  await busy
})
