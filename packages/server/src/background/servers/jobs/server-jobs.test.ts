// The pace of looks at servers: few at once, silent ones in nobody's way, pauses that grow, and an end at once.
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../../test/steps.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import { CommandStopped, type Host, localGit, ServerUnreachable } from '../../../remote/host.ts'
import type { At, JobDefinition } from './server-job.ts'
import { createServerJobs, type ServerJobs } from './server-jobs.ts'

let serverJobs: ServerJobs
let time: number
let warnings: string[]
/** Servers that accept a connection and say nothing. */
let silent: Set<number>
let listenedTo: number[]
let reaches: [number, boolean][]
let listening: { now: number; most: number }

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
})
const servers = (from: number, count: number) => Array.from({ length: count }, (_, index) => address(from + index))

beforeEach(() => {
  time = 1_000_000
  warnings = []
  silent = new Set()
  listenedTo = []
  listening = { now: 0, most: 0 }
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const host: Host = { name: 'host', git: localGit, run: stuck }
  const probe = async ({ id, name }: ServerAddress, signal: AbortSignal): Promise<void> => {
    listenedTo.push(id)
    listening.now += 1
    listening.most = Math.max(listening.most, listening.now)
    try {
      if (silent.has(id)) await untilAborted(signal)
      if (down.has(id)) throw new ServerUnreachable('connect', `${name} is away`)
    } finally {
      listening.now -= 1
    }
  }
  reaches = []
  const onReach = (id: number, isReached: boolean): void => void reaches.push([id, isReached])
  serverJobs = createServerJobs({ log }, { of: () => host, probe }, { now: () => time, onReach })
  down.clear()
})
afterEach(() => serverJobs.stop())

/** Servers that refuse a connection. */
const down = new Set<number>()

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new CommandStopped('aborted'))))

/** A command that runs until it is stopped. */
const stuck: Host['run'] = (_, options) => untilAborted(options?.signal ?? new AbortController().signal)

const kindOf = (
  list: readonly ServerAddress[],
  look: JobDefinition['run'],
  more: Partial<JobDefinition> = {},
): JobDefinition => ({
  trouble: 'it went wrong',
  everyMs: 15_000,
  retryMs: 15_000,
  atOnce: 10,
  listMs: 15_000,
  list: async () => list,
  run: look,
  ...more,
})

test('few are at work at once, and all come to their turn', async () => {
  const seen = new Set<number>()
  let [now, most] = [0, 0]
  const look = async ({ server }: At): Promise<void> => {
    now += 1
    most = Math.max(most, now)
    await turn()
    seen.add(server.id)
    now -= 1
  }
  await serverJobs.define(kindOf(servers(1, 200), look)).runOnce()
  expect([seen.size, most]).toEqual([200, 4])
})

test('a kind has no more places than it asks for, and a server has one thing done at a time', async () => {
  const most = new Map<string, number>()
  const now = new Map<string, number>()
  const counting =
    (name: string) =>
    async ({ server }: At): Promise<void> => {
      const keys = [name, `server ${server.id}`]
      for (const key of keys) now.set(key, (now.get(key) ?? 0) + 1)
      for (const key of keys) most.set(key, Math.max(most.get(key) ?? 0, now.get(key) ?? 0))
      await turn()
      for (const key of keys) now.set(key, (now.get(key) ?? 0) - 1)
    }
  const all = servers(1, 10)
  const kinds = [
    serverJobs.define(kindOf(all, counting('few'), { atOnce: 1 })),
    serverJobs.define(kindOf(all, counting('many'))),
  ]
  await Promise.all(kinds.map((kept) => kept.runOnce()))
  expect(most.get('few')).toBe(1)
  expect(all.map(({ id }) => most.get(`server ${id}`))).toEqual(all.map(() => 1))
})

test('silent servers are listened to without anything being started, and keep no other waiting', async () => {
  const quiet = servers(1, 40)
  for (const { id } of quiet) silent.add(id)
  const reached: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = async ({ server }: At): Promise<void> => {
    reached.push(server.id)
    if (reached.length === 20) resolve()
  }
  const looked = serverJobs.define(kindOf([...quiet, ...servers(100, 20)], look)).runOnce()
  await promise
  expect(Math.min(...reached)).toBe(100)
  await serverJobs.stop()
  await looked
})

test('not too many are listened to at once', async () => {
  const quiet = servers(1, 500)
  for (const { id } of quiet) silent.add(id)
  const looked = serverJobs.define(kindOf(quiet, async () => undefined)).runOnce()
  await until(() => listening.now === 128)
  await turn()
  await serverJobs.stop()
  await looked
  expect(listening.most).toBe(128)
})

test('one that is out of reach is named once, left alone by all for longer each time, and looked at again after a reset', async () => {
  down.add(1)
  const reached: string[] = []
  const note = (name: string) => async () => void reached.push(name)
  const one = serverJobs.define(kindOf([address(1)], note('one')))
  const other = serverJobs.define(kindOf([address(1)], note('other')))
  const attempts = async (): Promise<number> => {
    const before = listenedTo.length
    await one.runOnce()
    await other.runOnce()
    return listenedTo.length - before
  }
  expect(await attempts()).toBe(1)
  expect(await attempts()).toBe(0)
  await expect(serverJobs.runOnce(address(1), async () => 'there')).rejects.toThrow('left alone')
  time += 15_000
  expect(await attempts()).toBe(1)
  // Twice as long, but for a fifth.
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

test('whoever asks is told whether servers answer, by whichever kind of look', async () => {
  down.add(1)
  const one = serverJobs.define(kindOf([address(1), address(2)], async () => undefined))
  const other = serverJobs.define(kindOf([address(1)], async () => undefined))
  await one.runOnce()
  await other.runOnce()
  expect(reaches.toSorted()).toEqual([
    [1, false],
    [2, true],
  ])
  down.clear()
  serverJobs.reset(1)
  await other.runOnce()
  expect(reaches.at(-1)).toEqual([1, true])
})

test('what fails for another reason is left alone, and nothing else on that server', async () => {
  let times = 0
  const failing = serverJobs.define(
    kindOf([address(1)], async () => {
      times += 1
      throw new Error('HAProxy does not run')
    }),
  )
  let others = 0
  const other = serverJobs.define(kindOf([address(1)], async () => void others++))
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

test('those that were out of reach hold few places when they speak again', async () => {
  const all = servers(1, 8)
  for (const { id } of all) down.add(id)
  const gate = Promise.withResolvers<void>()
  let [now, most] = [0, 0]
  const look = async (): Promise<void> => {
    now += 1
    most = Math.max(most, now)
    await gate.promise
    now -= 1
  }
  const kept = serverJobs.define(kindOf(all, look))
  await kept.runOnce()
  down.clear()
  time += 15_000
  const again = kept.runOnce()
  await until(() => now === 2)
  await until(() => listening.now === 0)
  gate.resolve()
  await again
  expect(most).toBe(2)
})

test('a stop ends what runs and what is listened to, at once, and nothing begins any more', async () => {
  silent.add(2)
  let begun = 0
  const { promise: isRunning, resolve } = Promise.withResolvers<void>()
  const kept = serverJobs.define(
    kindOf([address(1), address(2)], async ({ host }) => {
      begun += 1
      resolve()
      await host().run(['sleep', '999'])
    }),
  )
  kept.start()
  await isRunning
  const visit = serverJobs.runOnce(address(2), async () => undefined)
  await serverJobs.stop()
  await expect(visit).rejects.toThrow()
  kept.wake([1, 2])
  expect([begun, listening.now, warnings]).toEqual([1, 0, []])
})

test('a server that is gone from the list is not waited for', async () => {
  silent.add(1)
  let list = [address(1)]
  const kept = serverJobs.define(kindOf([], async () => undefined, { list: async () => list }))
  const looked = kept.runOnce()
  await turn()
  list = []
  await kept.runOnce()
  await looked
})

test('a change disturbs only the servers of which the records ask for a look', async () => {
  const due = new Set([3])
  const reached: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = async ({ server }: At): Promise<void> => {
    reached.push(server.id)
    if (reached.length === 6) resolve()
  }
  const kept = serverJobs.define(kindOf(servers(1, 5), look, { isDue: async ({ id }) => due.has(id) }))
  await kept.runOnce()
  listenedTo = []
  // Long enough for each to have fallen silent since.
  time += 120_000
  kept.checkDue()
  await promise
  expect([reached.slice(5), listenedTo]).toEqual([[3], [3]])
})

test('what people wait to see begins when it is due, and takes no place from the others', async () => {
  const gate = Promise.withResolvers<void>()
  let slow = 0
  const others = serverJobs.define(
    kindOf(servers(1, 4), async () => {
      slow += 1
      await gate.promise
    }),
  )
  const busy = others.runOnce()
  await until(() => slow === 4)
  const prompt = servers(100, 20)
  const reached = new Set<number>()
  const kept = serverJobs.define(
    kindOf(prompt, async ({ server }) => void reached.add(server.id), { isPrompt: true, atOnce: 8 }),
  )
  kept.start()
  // Far sooner than one after the other, a second apart.
  await until(() => reached.size === prompt.length)
  gate.resolve()
  await busy
})
