// The pass over a server, on a real Docker Engine and on processes of the manual recipe, as readers of the API see it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import { type EngineClient, hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { buildUser } from '../../../../test/factories.ts'
import { buildLiveEnvironment } from '../../../../test/live-environment.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import type { Host } from '../../../remote/host.ts'
import { createServerJobs, type ServerJobs } from '../jobs/server-jobs.ts'
import { watchMetrics } from './watch-metrics.ts'

type Live = Awaited<ReturnType<typeof buildLiveEnvironment>>

describe.each(databases)('metrics on $name', (source) => {
  let app: TestApp
  let serverJobs: ServerJobs
  let metrics: ReturnType<typeof watchMetrics>
  let host: Host
  let runs = 0

  beforeAll(async () => {
    app = await openTestApp(source)
  })
  afterAll(() => app.close())
  beforeEach(() => {
    runs = 0
    host = createLocalHost('this machine')
    const counting: Host = {
      ...host,
      run: (...words) => {
        runs += 1
        return host.run(...words)
      },
    }
    const of = (): Host => ({ ...counting, run: (...words) => counting.run(...words) })
    serverJobs = createServerJobs(app.ctx, { of, probe: async () => undefined })
    metrics = watchMetrics(app.ctx, serverJobs)
  })
  afterEach(async () => {
    await serverJobs.stop()
    await app.ctx.db.deleteFrom('routes').execute()
    await app.ctx.db.updateTable('servers').set({ connection: 'ssh', signed_in_at: null }).execute()
  })

  const pass = async () => {
    app.moveClock(30_000)
    await metrics.runOnce()
  }
  const read = async (path: string, as: Live['owner']) => (await app.call('GET', path, { as })).body
  const ofEnvironment = ({ environment, owner }: Live, range = '2h') =>
    read(`/api/environments/${environment.id}/metrics?range=${range}`, owner)
  const ofServer = ({ serverId, owner }: Live, range = '2h') =>
    read(`/api/servers/${serverId}/metrics?range=${range}`, owner)

  test('before the first pass there are slots without samples', async () => {
    const live = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_100 })
    expect(await ofEnvironment(live)).toEqual({ step_seconds: 30, from: expect.any(String), services: [] })
    expect(await ofServer(live, '2d')).toMatchObject({ step_seconds: 300, cores: null, memory_total_bytes: null })
    expect((await ofServer(live, '30d')).cpu).toEqual(Array(720).fill(null))
    const wrong = await app.call('GET', `/api/servers/${live.serverId}/metrics?range=1y`, { as: live.owner })
    expect(wrong).toMatchObject({ status: 422 })
  })

  test('are for those who may see the environment and the server', async () => {
    const live = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_101 })
    const stranger = await buildUser(app.ctx)
    for (const path of [`/api/environments/${live.environment.id}/metrics`, `/api/servers/${live.serverId}/metrics`]) {
      expect((await app.call('GET', path, { as: live.owner })).status).toBe(200)
      expect((await app.call('GET', path, { as: stranger })).status).toBe(404)
      expect((await app.call('GET', path)).status).toBe(401)
    }
  })

  test('of the manual recipe are those of the process behind the port; one pass a slot is one command', async () => {
    const site = createServer((_, res) => res.end()).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const address = site.address()
    const port = address !== null && typeof address === 'object' ? address.port : 0
    try {
      const live = await buildLiveEnvironment(app.ctx, { recipe: 'manual', port })
      await pass()
      await pass()
      await metrics.runOnce()
      expect(runs).toBe(2)
      const { services } = await ofEnvironment(live)
      expect(services).toMatchObject([{ name: 'web', memory_limit_bytes: null, restarts: 0, oom_kills: 0 }])
      expect(services[0].cpu).toHaveLength(240)
      expect(services[0].cpu.slice(-2)).toEqual([null, expect.any(Number)])
      expect(services[0].memory_bytes.slice(-3)).toEqual([null, expect.any(Number), expect.any(Number)])
      expect(services[0].network_in).toEqual(Array(240).fill(null))
      const server = await ofServer(live)
      expect(server.cores).toBeGreaterThan(0)
      expect(server.memory_total_bytes).toBeGreaterThan(server.memory_bytes.at(-1))
      expect([server.cpu.at(-1), server.load.at(-1), server.disk_bytes.at(-1)]).toEqual(
        Array(3).fill(expect.any(Number)),
      )
      expect(server.disk_total_bytes).toBeGreaterThan(server.disk_bytes.at(-1))
    } finally {
      site.closeAllConnections()
      site.close()
    }
  })

  test('write nothing to the journal', async () => {
    const live = await buildLiveEnvironment(app.ctx, { recipe: 'manual', port: 1 })
    const end = () => app.ctx.db.selectFrom('journal_end').select('seq').executeTakeFirstOrThrow()
    const before = await end()
    await pass()
    expect((await ofServer(live)).load.at(-1)).toEqual(expect.any(Number))
    expect(await end()).toEqual(before)
  })

  describe.skipIf(!hasDocker)('of containers', () => {
    let engine: EngineClient
    beforeAll(async () => {
      engine = await sharedEngine()
    })
    beforeEach(() => {
      host = createLocalHost('this machine', { DOCKER_HOST: engine.host })
    })

    test('are those of each service, routed or not, with its restarts', async () => {
      const live = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_102 })
      const labels = { installation: app.ctx.installationId, environment: live.environment.id, task: live.liveId }
      const start = async (service: string, ...words: string[]) => {
        const all = Object.entries({ ...labels, service }).flatMap(([key, value]) => [
          '--label',
          `shipway.${key}=${value}`,
        ])
        const run = ['run', '--detach', '--init', ...all, ...words, 'shipway-test/busybox', 'sleep', '999']
        return (await engine.docker(...run)).trim()
      }
      const ids = [await start('web', '--memory', '64m'), await start('worker')]
      try {
        await pass()
        const { db } = app.ctx
        await db
          .updateTable('services')
          .set({ restarts: 2 })
          .where('environment_id', '=', live.environment.id)
          .execute()
        await pass()
        await pass()
        const { services } = await ofEnvironment(live)
        expect(services).toMatchObject([
          { name: 'web', memory_limit_bytes: 64 * 1024 * 1024, restarts: 2, oom_kills: 0 },
          { name: 'worker', restarts: 0 },
        ])
        for (const { cpu, memory_bytes: memory, network_in: network } of services) {
          expect(cpu.slice(-3)).toEqual([null, expect.any(Number), expect.any(Number)])
          expect(network.slice(-3)).toEqual([null, expect.any(Number), expect.any(Number)])
          expect(memory.at(-1)).toBeGreaterThan(0)
        }
      } finally {
        await engine.docker('rm', '--force', ...ids)
      }
    })
  })
})
