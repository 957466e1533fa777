// Containers that ended tasks left go from a real Docker Engine; the records say which still serve.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Engine, hasDocker, startEngine } from '../../../../test/docker/docker-engine.ts'
import { buildEnvironment, buildServer, buildTask } from '../../../../test/factories.ts'
import { buildPorts } from '../../../../test/machine-records.ts'
import { oneDatabase } from '../../../../test/one-database.ts'
import { buildOwnedProject } from '../../../../test/owned-project.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import type { Host } from '../../../remote/host.ts'
import { createSource } from '../../../source/source.ts'
import { listServersToCleanUp } from '../../../store/tasks/orphans.ts'
import { cleanUpServer } from './clean-up-servers.ts'

type CleanUp = { readonly environmentIds?: 'all' | ReadonlySet<number>; readonly minutesLater?: boolean }
const isUnusedSearch = (words: readonly string[]): boolean => words.includes('shipway-remove-unused')

describe.skipIf(!hasDocker)('containers that ended tasks left', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-containers-'))
  let engine: Engine

  beforeAll(async () => {
    engine = await startEngine()
  })
  afterAll(async () => {
    await engine?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each(oneDatabase)('on $name', (source) => {
    let app: TestApp
    let project: Awaited<ReturnType<typeof buildOwnedProject>>
    let environment: Awaited<ReturnType<typeof buildEnvironment>>

    beforeAll(async () => {
      app = await openTestApp(source, { dataFolder: join(folder, source.name) })
    })
    beforeEach(async () => {
      project = await buildOwnedProject(app.ctx)
      await app.ctx.db.updateTable('servers').set({ connection: 'local' }).where('id', '=', project.serverId).execute()
      environment = await buildEnvironment(app.ctx, project)
    })
    afterAll(async () => {
      await app.close()
      // The records of the next database begin with the same numbers.
      const ids = (await engine.docker('ps', '--all', '--quiet')).split('\n').filter(Boolean)
      if (ids.length > 0) await engine.docker('rm', '--force', ...ids)
    })

    const cleanUp = async ({ environmentIds, minutesLater = false }: CleanUp = {}) => {
      const [server] = await listServersToCleanUp(app.ctx.db, [project.serverId])
      if (!server) throw new Error('The server is to be tidied')
      const machine = createLocalHost('this machine', { DOCKER_HOST: engine.host })
      // The Engine's clock cannot be moved: what was made a moment ago counts as old.
      const host: Host = {
        ...machine,
        run: ([program, ...words], options) =>
          machine.run([program, ...(minutesLater && isUnusedSearch(words) ? words.with(-1, '0') : words)], options),
      }
      const parts = { source: createSource({ folder: join(folder, source.name, 'mirrors'), allowedNetworks: [] }) }
      await cleanUpServer(app.ctx, parts, {
        ...{ server, host },
        environmentIds: environmentIds ?? new Set([environment.id]),
      })
    }
    const endedTask = async (status: 'succeeded' | 'failed' | 'canceled', kind: 'deploy' | 'reset' = 'deploy') =>
      (await buildTask(app.ctx, environment.id, { kind, status, started_at: 1, finished_at: 2 })).id
    const lead = async (taskId: number, service: string, slot: 'a' | 'b') => {
      const port = 20_000 + environment.id * 2 + (slot === 'a' ? 0 : 1)
      await buildPorts(app.ctx, project.serverId, [{ environment_id: environment.id, service, slot, port }])
      await app.ctx.db.insertInto('routes').values({ domain: environment.domain, port, task_id: taskId }).execute()
    }
    const run = async (service: string, task: number, more: Record<string, string> = {}): Promise<void> => {
      const labels = { installation: app.ctx.installationId, environment: environment.id, service, task, ...more }
      const words = Object.entries(labels).flatMap(([key, value]) => ['--label', `shipway.${key}=${value}`])
      await engine.docker('run', '--detach', '--stop-timeout', '0', ...words, 'shipway-test/busybox', 'sleep', '999')
    }
    const running = async (): Promise<string[]> => {
      const filters = ['--filter', `label=shipway.environment=${environment.id}`]
      const ours = ['--filter', `label=shipway.installation=${app.ctx.installationId}`]
      const format = '{{.Label "shipway.service"}} {{.Label "shipway.task"}}'
      const lines = await engine.docker('ps', '--all', ...filters, ...ours, '--format', format)
      return lines.split('\n').filter(Boolean).sort()
    }

    test('go, but for the newest of each service until the one that serves', async () => {
      const first = await endedTask('succeeded')
      const live = await endedTask('succeeded')
      const failed = await endedTask('failed')
      await lead(live, 'web', 'b')
      await run('side', first)
      await run('web', first, { slot: 'a' })
      await run('web', live, { slot: 'b' })
      await run('web', failed, { slot: 'a' })
      await run('data', failed, { mode: 'in_place', origin: 'replaced' })
      await cleanUp()
      expect(await running()).toEqual([`data ${failed}`, `side ${first}`, `web ${live}`])
    })

    test('stay where routes lead to them, however their task has ended', async () => {
      const first = await endedTask('succeeded')
      const switched = await endedTask('failed')
      const later = await endedTask('canceled')
      await lead(switched, 'web', 'b')
      await run('web', first, { slot: 'a' })
      await run('web', switched, { slot: 'b' })
      await run('web', later, { slot: 'a' })
      await cleanUp()
      expect(await running()).toEqual([`web ${switched}`])
    })

    test('stay while a task runs or waits, which checks them itself', async () => {
      const failed = await endedTask('failed')
      await buildTask(app.ctx, environment.id)
      await run('web', failed)
      await cleanUp()
      expect(await running()).toEqual([`web ${failed}`])
    })

    test('made for a terminal that was never opened go minutes later, with the cleanup of the whole server', async () => {
      await endedTask('succeeded')
      const labels = { installation: app.ctx.installationId, environment: environment.id, mode: 'one_off', task: '' }
      const words = Object.entries(labels).flatMap(([key, value]) => ['--label', `shipway.${key}=${value}`])
      await engine.docker('create', ...words, 'shipway-test/busybox', 'sleep', '999')
      await engine.docker('run', '--detach', '--stop-timeout', '0', ...words, 'shipway-test/busybox', 'sleep', '999')
      const count = async () => (await running()).length
      await cleanUp({ environmentIds: 'all' })
      expect(await count()).toBe(2)
      await cleanUp({ environmentIds: 'all', minutesLater: true })
      // The one that runs has a user.
      expect(await count()).toBe(1)
    })

    test('go with all else that docker has of an environment that is gone', async () => {
      const task = await endedTask('succeeded')
      await run('web', task)
      const name = `shipway-${app.ctx.installationId}-${environment.id}`
      await engine.docker('volume', 'create', '--label', `com.docker.compose.project=${name}`, `${name}_data`)
      await app.ctx.db.updateTable('environments').set({ removed_at: 3 }).where('id', '=', environment.id).execute()
      await cleanUp()
      expect(await running()).toEqual([])
      expect(await engine.docker('volume', 'ls', '--quiet')).not.toContain(name)
    })

    const volume = async (name: string) => {
      const project = `shipway-${app.ctx.installationId}-${environment.id}`
      await engine.docker('volume', 'create', '--label', `com.docker.compose.project=${project}`, `${project}_${name}`)
      return `${project}_${name}`
    }
    const moveAway = async () => {
      const { id } = await buildServer(app.ctx, project.organization_id)
      await app.ctx.db.updateTable('environments').set({ server_id: id }).where('id', '=', environment.id).execute()
    }
    const states = async () => {
      const ours = ['--filter', `label=shipway.environment=${environment.id}`]
      const format = '{{.Label "shipway.service"}} {{.State}}'
      return (await engine.docker('ps', '--all', ...ours, '--format', format)).split('\n').filter(Boolean).sort()
    }

    test('of one that was moved stay, stopped, where they have data', async () => {
      const live = await endedTask('succeeded')
      await lead(live, 'web', 'a')
      await run('web', live, { slot: 'a', mode: 'beside' })
      await run('data', live, { mode: 'in_place', origin: 'replaced' })
      const name = await volume('data')
      await moveAway()
      await endedTask('failed')
      await cleanUp()
      expect(await states()).toEqual(['data running', 'web running'])
      const there = await endedTask('succeeded')
      await cleanUp()
      // The routes still lead here.
      expect(await states()).toEqual(['data running', 'web running'])
      await app.ctx.db.updateTable('routes').set({ task_id: there }).where('domain', '=', environment.domain).execute()
      await cleanUp()
      expect(await states()).toEqual(['data exited'])
      expect(await engine.docker('volume', 'ls', '--quiet')).toContain(name)
      await endedTask('succeeded', 'reset')
      await cleanUp()
      expect(await states()).toEqual([])
      expect(await engine.docker('volume', 'ls', '--quiet')).not.toContain(name)
    })

    test('go with the volumes of one that was moved and then removed', async () => {
      const live = await endedTask('succeeded')
      const name = await volume('data')
      const place = join(folder, source.name, 'server', app.ctx.installationId, 'environments', String(environment.id))
      mkdirSync(join(place, 'releases', String(live)), { recursive: true })
      await moveAway()
      await endedTask('succeeded')
      await cleanUp()
      expect(readdirSync(place)).toEqual([])
      expect(await engine.docker('volume', 'ls', '--quiet')).toContain(name)
      await app.ctx.db.updateTable('environments').set({ removed_at: 3 }).where('id', '=', environment.id).execute()
      await cleanUp()
      expect(existsSync(place)).toBe(false)
      expect(await engine.docker('volume', 'ls', '--quiet')).not.toContain(name)
    })
  })
})
