import { describe, expect, test } from 'vitest'
import type { ServerStats, ServiceUsage } from '../../../runtimes/server-stats.ts'
import { makeServerSample, makeServiceSamples } from './make-samples.ts'

const usage = (more: Partial<ServiceUsage> = {}): ServiceUsage => ({
  key: 'a',
  environmentId: 7,
  service: 'web',
  cpuSeconds: 10,
  memoryBytes: 100,
  memoryLimitBytes: 200,
  networkInBytes: 1000,
  networkOutBytes: 2000,
  oomKills: 0,
  uptimeSeconds: 0,
  ...more,
})
/** Those that name no time of their own run on the machine itself. */
const stats = (
  uptimeSeconds: number,
  services: readonly ServiceUsage[] | undefined,
  more: Partial<ServerStats> = {},
) => ({
  machine: {
    uptimeSeconds,
    cores: 2,
    cpuSeconds: uptimeSeconds / 2,
    memoryBytes: 5,
    memoryTotalBytes: 10,
    load: 0.5,
    disk: { freeBytes: 30, totalBytes: 100 },
  },
  services: services?.map((own) => ({ ...own, uptimeSeconds: own.uptimeSeconds || uptimeSeconds })),
  ports: new Map(),
  kills: [],
  killsUntil: 99,
  ...more,
})
const environment = {
  id: 7,
  runsContainers: true,
  services: [{ name: 'web', port: 80, restarts: 2 }],
}
const after = (before: ServerStats | undefined, now: ServerStats) => makeServiceSamples({ now, before }, environment)
const first = stats(1000, [usage()])

describe('samples of services', () => {
  test('have rates by the time of the server', () => {
    const now = stats(1030, [usage({ cpuSeconds: 25, networkInBytes: 4000, networkOutBytes: 2000 })])
    expect(after(first, now)).toEqual([
      {
        environmentId: 7,
        service: 'web',
        cpu: 0.5,
        memoryBytes: 100,
        memoryLimitBytes: 200,
        networkIn: 100,
        networkOut: 0,
        restarts: 2,
        oomKills: 0,
      },
    ])
  })

  test.each([
    ['there is no reading before', undefined, stats(1030, [usage()])],
    ['the counter fell', first, stats(1030, [usage({ cpuSeconds: 9, networkInBytes: 1, networkOutBytes: 1 })])],
    ['it is another container', first, stats(1030, [usage({ key: 'b', cpuSeconds: 1e6 })])],
    ['the machine was started again', first, stats(20, [usage({ cpuSeconds: 11 })])],
    ['no time has passed', first, stats(1000, [usage({ cpuSeconds: 11 })])],
    ['the reading before is old', first, stats(1200, [usage({ cpuSeconds: 11 })])],
    [
      'it cannot be read',
      first,
      stats(1030, [usage({ cpuSeconds: null, networkInBytes: null, networkOutBytes: null })]),
    ],
  ])('have no rate where %s', (_, before, now) => {
    expect(after(before, now)).toMatchObject([{ cpu: null, networkIn: null, networkOut: null, memoryBytes: 100 }])
  })

  test('are those of all containers of a service together', () => {
    const both = (cpuSeconds: number) => [usage({ cpuSeconds }), usage({ key: 'b', cpuSeconds, memoryBytes: 50 })]
    const samples = after(stats(1000, both(10)), stats(1030, both(13)))
    expect(samples).toMatchObject([{ cpu: 0.2, memoryBytes: 150, memoryLimitBytes: 400 }])
    const unlimited = stats(1030, [usage(), usage({ key: 'b', memoryLimitBytes: null })])
    expect(after(first, unlimited)).toMatchObject([{ memoryLimitBytes: null }])
  })

  test('have rates by the time of the machine that a container runs on', () => {
    const elsewhere = (uptimeSeconds: number, cpuSeconds: number) => usage({ key: 'b', uptimeSeconds, cpuSeconds })
    const now = stats(1030, [usage({ cpuSeconds: 13 }), elsewhere(70, 40)])
    expect(after(stats(1000, [usage(), elsewhere(50, 10)]), now)).toMatchObject([{ cpu: 1.6 }])
    // That machine was started again, or did not answer.
    expect(after(stats(1000, [usage(), elsewhere(90, 10)]), now)).toMatchObject([{ cpu: 0.1 }])
    expect(after(stats(1000, [usage(), elsewhere(0, 10)]), now)).toMatchObject([{ cpu: 0.1 }])
  })

  test('are numbers that a database keeps, whatever a machine reports', () => {
    const most = (uptimeSeconds: number, bytes: number) =>
      Array.from({ length: 100 }, (_, index) =>
        usage({
          ...{ key: String(index), uptimeSeconds, cpuSeconds: bytes, memoryBytes: bytes, memoryLimitBytes: bytes },
          ...{ networkInBytes: bytes, networkOutBytes: bytes },
        }),
      )
    const [sample] = after(stats(1000, most(1, 0)), stats(1030, most(1.000001, 2 ** 50)))
    expect(sample).toMatchObject({ cpu: 2 ** 40, memoryBytes: 2 ** 50, memoryLimitBytes: 2 ** 50 })
    expect([sample?.networkIn, sample?.networkOut]).toEqual([2 ** 50, 2 ** 50])
  })

  test('exist for a service that does not run, with its restarts', () => {
    expect(after(first, stats(1030, []))).toMatchObject([{ service: 'web', cpu: null, memoryBytes: null, restarts: 2 }])
  })

  test('do not exist where Docker gave no answer', () => {
    expect(after(first, stats(1030, undefined))).toEqual([])
  })

  test('count a kill that the engine reports and one that only the counter has, once each', () => {
    const killed = { kills: [{ environmentId: 7, service: 'web', times: 1 }] }
    expect(after(first, stats(1030, [usage({ oomKills: 1 })], killed))).toMatchObject([{ oomKills: 1 }])
    expect(after(first, stats(1030, [usage({ oomKills: 3 })]))).toMatchObject([{ oomKills: 3 }])
    expect(after(undefined, stats(1030, [usage({ oomKills: 3 })]))).toMatchObject([{ oomKills: 0 }])
  })

  test('are at most fifty for an environment, and none of another one', () => {
    const many = Array.from({ length: 200 }, (_, index) => usage({ key: String(index), service: `s${index}` }))
    expect(after(first, stats(1030, many))).toHaveLength(50)
    expect(after(first, stats(1030, [usage({ environmentId: 8 })]))).toMatchObject([
      { service: 'web', memoryBytes: null },
    ])
  })
})

test('the sample of a server has rates, too, and never more cores than there are', () => {
  expect(makeServerSample({ now: stats(1030, []), before: first })).toEqual({
    cpu: 0.5,
    cores: 2,
    memoryBytes: 5,
    memoryTotalBytes: 10,
    load: 0.5,
    diskBytes: 70,
    diskTotalBytes: 100,
    countedUntil: 99,
  })
  const busy = { ...stats(1030, []), machine: { ...first.machine, uptimeSeconds: 1030, cpuSeconds: 1e6 } }
  expect(makeServerSample({ now: busy, before: first }).cpu).toBe(2)
})
