// Samples of services and servers: how long they are kept, how they are summarized, and what alerts read from them.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildLiveEnvironment } from '../../../test/live-environment.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { slotOf, slotsOf } from '../../domain/metrics/resolutions.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { takeRestarts } from './restarts-to-count.ts'
import { insertServerSample, listServerSamples, type ServerSample } from './server-samples.ts'
import {
  deleteServiceSamples,
  insertServiceSamples,
  listServiceSamples,
  type ServiceSample,
} from './service-samples.ts'
import { listServiceWarnings } from './service-warnings.ts'
import { deleteOldSamples, summarizeSamples } from './summarize-samples.ts'

const HOUR = 60 * 60_000

describe.each(databases)('samples on $name', (source) => {
  const app = stageApp(source)
  let live: Awaited<ReturnType<typeof buildLiveEnvironment>>
  /** The start of an hour. */
  let start: number
  beforeEach(async () => {
    await app.ctx.db.deleteFrom('service_samples').execute()
    live = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_000 })
    start = slotOf(3600, app.ctx.clock())
  })

  const sample = (more: Partial<ServiceSample> = {}): ServiceSample => ({
    environmentId: live.environment.id,
    service: 'web',
    cpu: 0.25,
    memoryBytes: 100,
    memoryLimitBytes: 200,
    networkIn: 10.4,
    networkOut: 20,
    restarts: 0,
    oomKills: 0,
    ...more,
  })
  const server: ServerSample = {
    cpu: 1.5,
    cores: 4,
    memoryBytes: 2 ** 40,
    memoryTotalBytes: 2 ** 41,
    load: 0.51,
    diskBytes: 10,
    diskTotalBytes: 20,
    countedUntil: 5,
  }
  const insert = (at: number, more: Partial<ServiceSample> = {}) => insertServiceSamples(app.ctx.db, at, [sample(more)])
  const list = (range: '2h' | '2d' | '30d', now: number) =>
    listServiceSamples(app.ctx.db, live.environment.id, slotsOf(range, now))
  const count = async () => (await app.ctx.db.selectFrom('service_samples').select('step').execute()).length

  test('are those of their slot, the first one of it', async () => {
    await insert(start + 29_999)
    await insert(start, { cpu: 9 })
    await insert(start + 30_000, { cpu: null, memoryBytes: null, networkIn: null })
    expect(await list('2h', start + 60_000)).toEqual([
      { ...sample({ networkIn: 10 }), environmentId: undefined, at: start },
      { ...sample({ cpu: null, memoryBytes: null, networkIn: null }), environmentId: undefined, at: start + 30_000 },
    ])
    const own = { serverId: live.serverId, at: start }
    expect(await insertServerSample(app.ctx.db, own, server)).toBe(true)
    expect(await insertServerSample(app.ctx.db, own, server)).toBe(false)
    const { countedUntil: _, ...shown } = server
    expect(await listServerSamples(app.ctx.db, live.serverId, slotsOf('2h', start))).toEqual([{ ...shown, at: start }])
  })

  test('are summarized in longer slots: CPU and network by their mean, memory by its highest value', async () => {
    for (let index = 0; index < 20; index++)
      await insert(start + index * 30_000, {
        cpu: index < 10 ? 0.1 : index % 2 ? 0.3 : null,
        memoryBytes: index,
        restarts: 1,
        oomKills: index === 3 ? 1 : 0,
      })
    await insertServerSample(app.ctx.db, { serverId: live.serverId, at: start }, server)
    await insertServerSample(app.ctx.db, { serverId: live.serverId, at: start + 30_000 }, { ...server, cpu: 0.5 })
    const now = start + 599_000
    await summarizeSamples(app.ctx.db, now)
    await summarizeSamples(app.ctx.db, now)
    expect(await list('2d', now)).toMatchObject([
      { at: start, cpu: 0.1, memoryBytes: 9, networkIn: 10, restarts: 10, oomKills: 1 },
      { at: start + 300_000, cpu: 0.3, memoryBytes: 19, restarts: 10, oomKills: 0 },
    ])
    expect(await list('30d', now)).toMatchObject([{ at: start, cpu: 0.2, memoryBytes: 19, restarts: 20, oomKills: 1 }])
    expect(await listServerSamples(app.ctx.db, live.serverId, slotsOf('30d', now))).toMatchObject([
      { cpu: 1, cores: 4 },
    ])
  })

  test('are deleted when their time is over, in few rows for a month', async () => {
    for (const [step, hours] of [
      [30, 3],
      [300, 60],
      [3600, 800],
    ] as const) {
      const times = Array.from({ length: (hours * 3600) / step }, (_, index) => start - index * step * 1000)
      for (let from = 0; from < times.length; from += 500)
        await app.ctx.db
          .insertInto('service_samples')
          .values(
            times
              .slice(from, from + 500)
              .map((at) => ({ environment_id: live.environment.id, service: 'web', step, at })),
          )
          .execute()
    }
    while (await deleteOldSamples(app.ctx.db, start));
    expect(await count()).toBe(240 + 576 + 720)
    for (const range of ['2h', '2d', '30d'] as const) {
      const { count: slots } = slotsOf(range, start)
      expect((await list(range, start)).length).toBe(slots)
    }
  })

  test('go with their environment and their server', async () => {
    await insert(start)
    await insertServerSample(app.ctx.db, { serverId: live.serverId, at: start }, server)
    await app.ctx.change(PLATFORM, (tx) => deleteServiceSamples(tx, live.environment.id))
    expect(await list('2h', start)).toEqual([])
    const { db } = app.ctx
    await db.updateTable('environments').set({ removed_at: 1 }).where('id', '=', live.environment.id).execute()
    await insert(start)
    expect(await list('2h', start)).toEqual([])
    expect(await insertServerSample(db, { serverId: 999_999, at: start }, server)).toBe(false)
  })

  test('are bounded in one slot, over all servers', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => sample({ service: `s${index}` }))
    await insertServiceSamples(app.ctx.db, start, many)
    await insertServiceSamples(app.ctx.db, start, [sample()])
    expect((await list('2h', start)).length).toBe(2_000)
  })

  test('count each restart of a service once, also where its container is another', async () => {
    const id = live.environment.id
    const restart = (restarts: number) =>
      app.ctx.db.updateTable('services').set({ restarts }).where('environment_id', '=', id).execute()
    const take = async () => (await takeRestarts(app.ctx.db, [id])).get(id)?.get('web')
    expect(await take()).toBeUndefined()
    await restart(3)
    expect([await take(), await take()]).toEqual([3, undefined])
    await restart(1)
    expect([await take(), await take()]).toEqual([1, undefined])
  })

  test('raise alerts of memory near its limit, restarts and kills in the last ten minutes', async () => {
    const now = start + HOUR
    const warnings = async () =>
      (await listServiceWarnings(app.ctx.db, now)).filter(({ environmentId }) => environmentId === live.environment.id)
    for (let index = 0; index <= 20; index++) {
      const at = now - index * 30_000
      await insertServiceSamples(app.ctx.db, at, [
        sample({ service: 'calm', memoryBytes: index === 4 ? 170 : 190 }),
        sample({ service: 'full', memoryBytes: 181, restarts: index === 2 || index === 15 ? 1 : 0 }),
        sample({ service: 'unlimited', memoryLimitBytes: null, oomKills: index === 0 ? 2 : 0 }),
        ...(index < 10 ? [sample({ service: 'young', memoryBytes: 199 })] : []),
      ])
    }
    await insert(now - 11 * 60_000, { service: 'gone', restarts: 5 })
    expect(await warnings()).toMatchObject([
      { service: 'calm', memoryPercent: 85, restarts: 0, oomKills: 0 },
      { service: 'full', memoryPercent: 90.5, restarts: 2, oomKills: 0 },
      { service: 'unlimited', memoryPercent: 0, restarts: 0, oomKills: 2 },
      { service: 'young', memoryPercent: null, restarts: 0, oomKills: 0 },
    ])
  })
})
