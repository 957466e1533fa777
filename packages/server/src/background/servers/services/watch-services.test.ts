// Services that stop, die, hang and come back, on a real Docker Engine and as processes of the manual recipe, as readers of the API see them.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../../../../tools/free-port.ts'
import { databases } from '../../../../test/databases.ts'
import { type Engine, hasDocker, startEngine } from '../../../../test/docker/docker-engine.ts'
import { buildTask } from '../../../../test/factories.ts'
import { buildLiveEnvironment, listenSilently as listen } from '../../../../test/live-environment.ts'
import { type Loopback, serve } from '../../../../test/loopback.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { until } from '../../../../test/steps.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import { type Host, ServerUnreachable } from '../../../remote/host.ts'
import { createServerJobs, type ServerJobs } from '../jobs/server-jobs.ts'
import { type ServiceWatch, watchServices } from './watch-services.ts'

describe.each(databases)('services on $name', (source) => {
  let app: TestApp
  let serverJobs: ServerJobs
  let watch: ServiceWatch
  let host: Host
  let hosts: Parameters<typeof createServerJobs>[1]
  let isAway = false
  let time = 0

  beforeAll(async () => {
    app = await openTestApp(source)
  })
  afterAll(() => app.close())
  beforeEach(() => {
    isAway = false
    host = createLocalHost('this machine')
    hosts = {
      of: (): Host => ({
        ...host,
        run: (...words) => {
          if (isAway) throw new ServerUnreachable('connect', 'It is away')
          return host.run(...words)
        },
      }),
      probe: async () => undefined,
    }
    const onReach = (serverId: number, isReached: boolean): void => watch.noteReachability(serverId, isReached)
    serverJobs = createServerJobs(app.ctx, hosts, { now: () => time, onReachability: onReach })
    watch = watchServices(app.ctx, serverJobs)
  })
  afterEach(async () => {
    await serverJobs.stop()
    await watch.stop()
    await app.ctx.db.deleteFrom('routes').execute()
  })

  type Live = Awaited<ReturnType<typeof buildLiveEnvironment>>
  const shown = async ({ environment, owner }: Live) =>
    (await app.call('GET', `/api/environments/${environment.id}`, { as: owner })).body
  const servicesOf = async ({ environment, owner }: Live) =>
    (await app.call('GET', `/api/environments/${environment.id}/services`, { as: owner })).body
  const watchOnce = (live: Live) => watch.runOnce().then(() => shown(live))
  const entries = async ({ environment }: Live): Promise<number> => {
    const before = app.ctx.db.selectFrom('journal').where('about', '=', 'environment').where('id', '=', environment.id)
    return (await before.select('seq').execute()).length
  }

  describe('of the manual recipe', () => {
    let site: Loopback
    beforeEach(async () => {
      site = await serve((_, res) => res.writeHead(500).end('any answer will do'))
    })
    afterEach(() => site.close())

    test('are running while their port answers, and degrade the environment when it does not', async () => {
      const live = await buildLiveEnvironment(app.ctx, { recipe: 'manual', port: site.port })
      expect(await shown(live)).toMatchObject({
        status: 'running',
        live: { answers: null },
        services: [{ state: 'starting' }],
      })
      expect(await watchOnce(live)).toMatchObject({
        status: 'running',
        live: { answers: true },
        services: [{ name: 'web', domain: live.environment.domain, state: 'running', restarts: 0, exit_code: null }],
      })
      const before = await entries(live)
      await watchOnce(live)
      expect(await entries(live)).toBe(before)
      await site.close()
      app.moveClock(5_000)
      const degraded = await watchOnce(live)
      expect(degraded).toMatchObject({ status: 'degraded', live: { answers: false }, services: [{ state: 'exited' }] })
      expect(Date.parse(degraded.services[0].state_since)).toBe(app.ctx.clock())
      expect(await entries(live)).toBe(before + 1)
      site = await serve((_, res) => res.end())
      const { db } = app.ctx
      await db.updateTable('routes').set({ port: site.port }).where('domain', '=', live.environment.domain).execute()
      expect(await watchOnce(live)).toMatchObject({ status: 'running', services: [{ state: 'running' }] })
    })

    test('that take connections and never answer are unhealthy', async () => {
      const hanging = await listen()
      const live = await buildLiveEnvironment(app.ctx, { recipe: 'manual', port: hanging.port })
      expect(await watchOnce(live)).toMatchObject({ status: 'degraded', services: [{ state: 'unhealthy' }] })
      hanging.server.close()
    })

    test('are unknown once their server is out of reach, and seen again with it', async () => {
      const live = await buildLiveEnvironment(app.ctx, { recipe: 'manual', port: site.port })
      await watchOnce(live)
      isAway = true
      expect(await watchOnce(live)).toMatchObject({ status: 'running' })
      time += 120_000
      await watch.runOnce()
      await app.finished()
      expect(await shown(live)).toMatchObject({
        status: 'degraded',
        live: { answers: null },
        services: [{ state: 'unknown', exit_code: null }],
      })
      const before = await entries(live)
      time += 120_000
      await watch.runOnce()
      await app.finished()
      expect(await entries(live)).toBe(before)
      isAway = false
      time += 400_000
      expect(await watchOnce(live)).toMatchObject({
        status: 'running',
        live: { answers: true },
        services: [{ state: 'running' }],
      })
    })

    test('say nothing of what serves until they were checked after a failed deployment', async () => {
      const live = await buildLiveEnvironment(app.ctx, { recipe: 'manual', port: site.port })
      await watchOnce(live)
      const at = app.ctx.clock()
      await buildTask(app.ctx, live.environment.id, { status: 'failed', started_at: at, finished_at: at })
      expect(await shown(live)).toMatchObject({ status: 'failed', live: { task_id: live.liveId, answers: null } })
      expect(await watchOnce(live)).toMatchObject({ status: 'failed', live: { answers: true } })
      await site.close()
      expect(await watchOnce(live)).toMatchObject({ status: 'failed', live: { answers: false } })
    })

    test('are checked when a task has ended', async () => {
      const live = await buildLiveEnvironment(app.ctx, { recipe: 'manual', port: site.port })
      watch.start()
      await until(async () => (await shown(live)).live.answers === true)
      const at = app.ctx.clock()
      const task = await buildTask(app.ctx, live.environment.id, { status: 'failed', started_at: at, finished_at: at })
      app.ctx.bus.announce([{ about: 'task', id: task.id, how: 'updated' }])
      await until(async () => (await shown(live)).live.answers === true)
    })
  })

  test('lies of a server reach no environment of another, and numbers are checked', async () => {
    const [honest, lied] = [
      await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_001 }),
      await buildLiveEnvironment(app.ctx, { recipe: 'docker', port: 20_002 }),
    ]
    const line = (environment: number, more: object = {}) =>
      JSON.stringify({
        id: 'a'.repeat(64),
        status: 'exited',
        said: 'Exited (99999999999999) ago',
        environment: String(environment),
        service: 'web',
        task: '1',
        slot: 'a',
        ...more,
      })
    const answer = [
      line(honest.environment.id),
      line(lied.environment.id),
      '{"id":1}',
      '{',
      'port 20001 200 1',
      'port 20002 200 0.1',
    ]
    host = {
      ...host,
      run: async () => ({ exitCode: 0, stdout: Buffer.from(answer.join('\n')), stderr: Buffer.alloc(0) }),
    }
    await app.ctx.db.updateTable('servers').set({ connection: 'ssh' }).where('id', '=', honest.serverId).execute()
    const only = lied.serverId
    const all = app.ctx.db.selectFrom('tasks').where('server_id', '<>', only).select('id')
    await app.ctx.db.deleteFrom('routes').where('task_id', 'in', all).execute()
    await watch.runOnce()
    expect(await shown(honest)).toMatchObject({ services: [{ state: 'starting' }] })
    expect(await shown(lied)).toMatchObject({ services: [{ state: 'exited', exit_code: null, restarts: 0 }] })
  })

  // What an Engine says is the same for both databases: their share is written above, for the manual recipe.
  if (source === databases.at(-1)) {
    describe.skipIf(!hasDocker)('in containers', () => {
      let engine: Engine
      beforeAll(async () => {
        engine = await startEngine()
      })
      afterAll(() => engine?.stop())
      beforeEach(() => {
        host = createLocalHost('this machine', { DOCKER_HOST: engine.host })
      })

      const run = async (
        live: Live,
        words: readonly string[],
        command: readonly string[],
        labels: object = {},
      ): Promise<string> => {
        const own = { installation: app.ctx.installationId, environment: live.environment.id, task: live.liveId }
        const all = Object.entries({ ...own, service: 'web', slot: 'a', ...labels })
        const labelled = all.flatMap(([key, value]) => ['--label', `shipway.${key}=${value}`])
        const started = ['run', '--detach', '--init', '--stop-timeout', '1', ...labelled, ...words]
        return (await engine.docker(...started, 'shipway-test/busybox', ...command)).trim()
      }
      const deploy = async (words: readonly string[], command: readonly string[]) => {
        const port = await freePort()
        const live = await buildLiveEnvironment(app.ctx, { recipe: 'docker', port })
        const variables = { set: { TOKEN: 'correct-horse-battery' } }
        await app.call('PATCH', `/api/environments/${live.environment.id}/variables`, {
          as: live.owner,
          body: variables,
        })
        const container = await run(live, ['--publish', `127.0.0.1:${port}:80`, ...words], command)
        return { live, container }
      }
      const HTTPD = ['sh', '-c', 'echo serving with correct-horse-battery; exec httpd -f -p 80']
      /** The Engine lists what has just ended as running for a moment more. */
      const seenOf = async (live: Live) => (await watchOnce(live)).services[0]
      const stateOf = async (live: Live) => (await seenOf(live)).state

      test('that were stopped have exited, with their code and their last lines', async () => {
        const { live, container } = await deploy([], HTTPD)
        await until(async () => (await stateOf(live)) === 'running')
        await engine.docker('stop', container)
        await until(async () => (await seenOf(live)).exit_code === 143)
        expect(await shown(live)).toMatchObject({ status: 'degraded', services: [{ state: 'exited' }] })
        expect(await servicesOf(live)).toMatchObject([{ state: 'exited', last_lines: 'serving with [hidden]' }])
        const overview = (await app.call('GET', '/api/overview', { as: live.owner })).body
        expect(overview[0].environments[0].status).toBe('degraded')
        await engine.docker('start', container)
        await until(
          async () => (await shown(live)).status === 'running' || (await watchOnce(live)).status === 'running',
        )
        expect(await servicesOf(live)).toMatchObject([{ state: 'running', exit_code: null, last_lines: null }])
        await engine.docker('kill', container)
        await until(async () => (await seenOf(live)).exit_code === 137)
        expect(await shown(live)).toMatchObject({ status: 'degraded', services: [{ state: 'exited' }] })
        await engine.docker('rm', container)
        await until(async () => (await seenOf(live)).exit_code === null)
        expect(await shown(live)).toMatchObject({ status: 'degraded', services: [{ state: 'exited' }] })
      })

      test('that end again and again are restarting', async () => {
        const { live } = await deploy(['--restart', 'always'], ['sh', '-c', 'echo no database; exit 3'])
        await until(async () => (await stateOf(live)) === 'restarting')
        await until(async () => (await watchOnce(live)).services[0].restarts > 2)
        expect(await shown(live)).toMatchObject({ status: 'degraded', services: [{ state: 'restarting' }] })
        expect((await servicesOf(live))[0].last_lines).toContain('no database')
      })

      test('whose health check fails are unhealthy, and healthy where it succeeds', async () => {
        const check = ['--health-cmd', 'test ! -e /sick', '--health-interval', '1s', '--health-retries', '1']
        const { live, container } = await deploy(check, HTTPD)
        await until(async () => (await stateOf(live)) === 'healthy')
        expect(await shown(live)).toMatchObject({ status: 'running' })
        await engine.docker('exec', container, 'touch', '/sick')
        await until(async () => (await stateOf(live)) === 'unhealthy')
        expect(await shown(live)).toMatchObject({ status: 'degraded', live: { answers: false } })
      })

      test('that hang are unhealthy although their container runs', async () => {
        const { live, container } = await deploy([], HTTPD)
        await until(async () => (await stateOf(live)) === 'running')
        await engine.docker('exec', container, 'sh', '-c', 'kill -STOP $(pidof httpd)')
        expect(['starting', 'unhealthy']).toContain(await stateOf(live))
        expect(await shown(live)).toMatchObject({ status: 'degraded' })
      })

      test('that end are seen as soon as the Engine reports it', async () => {
        const { live, container } = await deploy([], HTTPD)
        await until(async () => (await stateOf(live)) === 'running')
        // By this clock no look ever comes due again.
        const heard = watchServices(app.ctx, serverJobs, hosts)
        try {
          heard.start()
          await engine.docker('stop', container)
          await until(async () => (await shown(live)).status === 'degraded')
        } finally {
          await serverJobs.stop()
          await heard.stop()
        }
      })

      test('of a deployment under way are not those that serve', async () => {
        const { live } = await deploy([], HTTPD)
        const task = await buildTask(app.ctx, live.environment.id, {
          status: 'running',
          started_at: 1,
          worker: 'test',
          epoch: 1,
        })
        await run(live, [], ['false'], { slot: 'b', task: task.id })
        await run(live, [], ['sleep', '999'], { service: 'worker', slot: '', task: live.liveId })
        await run(live, [], ['false'], { service: 'worker', slot: '', task: task.id })
        await until(async () => (await stateOf(live)) === 'running')
        expect(await servicesOf(live)).toMatchObject([
          { name: 'web', routed: true, state: 'running' },
          { name: 'worker', routed: false, state: 'running' },
        ])
      })
    })
  }
})
