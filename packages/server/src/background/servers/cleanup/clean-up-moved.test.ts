// What a moved environment has on its old server goes once the new one serves it: on this machine, with real folders and processes.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
} from '../../../../test/factories.ts'
import { buildPorts } from '../../../../test/machine-records.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { stageApp } from '../../../../test/stage/stage-app.ts'
import { createSource } from '../../../source/source.ts'
import { listServersToCleanUp } from '../../../store/tasks/orphans.ts'
import { cleanUpMoved } from './clean-up-moved.ts'
import { cleanUpServer } from './clean-up-servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-leaving-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(databases)('an environment that was moved away on $name', (source) => {
  const data = join(folder, source.name)
  const host = createLocalHost('this machine')
  const app = stageApp(source, { dataFolder: data })
  let project: Awaited<ReturnType<typeof buildProject>>
  let environment: Awaited<ReturnType<typeof buildEnvironment>>
  let elsewhere: number
  let live: number

  /** Deployed here, then moved. */
  beforeEach(async () => {
    const user = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const here = await buildServer(app.ctx, organization.id, { connection: 'local' })
    elsewhere = (await buildServer(app.ctx, organization.id)).id
    const place = { organizationId: organization.id, ownerId: user.id, serverId: here.id }
    project = await buildProject(app.ctx, place, { default_recipe: 'manual' })
    environment = await buildEnvironment(app.ctx, project)
    live = await task('succeeded')
    lay(live)
    writeFileSync(own('variables.env'), 'A=1')
    await moveTo(elsewhere)
  })

  const task = async (status: 'succeeded' | 'failed') =>
    (await buildTask(app.ctx, environment.id, { status, started_at: 1, finished_at: 2 })).id
  const own = (...names: string[]) => {
    const installation = join(data, 'server', app.ctx.installationId)
    return join(installation, 'environments', String(environment.id), ...names)
  }
  const lay = (id: number) => mkdirSync(own('releases', String(id)), { recursive: true })
  const moveTo = (serverId: number) =>
    app.ctx.db.updateTable('environments').set({ server_id: serverId }).where('id', '=', environment.id).execute()
  const cleanUp = async () => {
    const [server] = await listServersToCleanUp(app.ctx.db, [project.serverId])
    if (!server) throw new Error('The server is to be tidied')
    const parts = { source: createSource({ folder: join(data, 'mirrors'), allowedNetworks: [] }) }
    await cleanUpServer(app.ctx, parts, { server, host, environmentIds: new Set([environment.id]) })
  }
  const expectUntouched = (...ids: number[]) => {
    expect(readdirSync(own()).sort()).toEqual(['releases', 'variables.env'])
    expect(readdirSync(own('releases')).sort()).toEqual(ids.map(String).sort())
  }

  test('is untouched until a deployment elsewhere has succeeded; then its folder has nothing but what it printed', async () => {
    await task('failed')
    await cleanUp()
    expectUntouched(live)
    await task('succeeded')
    mkdirSync(own('output'))
    writeFileSync(own('output', '1.web.log'), 'hello\n')
    await cleanUp()
    expect(readdirSync(own())).toEqual(['output'])
    expect(readdirSync(own('output'))).toEqual(['1.web.log'])
  })

  test('is untouched where it was moved back, also while it is being taken off', async () => {
    await task('failed')
    await moveTo(project.serverId)
    await cleanUp()
    expectUntouched(live)
    const place = {
      host,
      folder: join(data, 'server', app.ctx.installationId),
      server: { id: project.serverId, runtime: 'compose' as const },
    }
    await cleanUpMoved(app.ctx, place, new Map([[environment.id, [live]]]))
    expectUntouched(live)
  })

  test('is untouched where the other server is the same machine', async () => {
    const later = await task('succeeded')
    lay(later)
    await cleanUp()
    expectUntouched(live, later)
  })

  test('keeps what a process works in, until that has ended', async () => {
    await task('succeeded')
    const worker = spawn('sleep', ['600'], { cwd: own('releases', String(live)) })
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    try {
      await cleanUp()
      expectUntouched(live)
    } finally {
      worker.kill('SIGKILL')
      await ended
    }
    await cleanUp()
    expect(readdirSync(own())).toEqual([])
  })

  test('is gone from here once it is removed, and then its ports are free', async () => {
    const of = { environment_id: environment.id, service: 'web', port: 20_000 + environment.id }
    await buildPorts(app.ctx, project.serverId, [of])
    const ports = () =>
      app.ctx.db.selectFrom('ports').where('environment_id', '=', environment.id).selectAll().execute()
    await task('succeeded')
    await cleanUp()
    // Something may still listen there.
    expect(await ports()).toHaveLength(1)
    await app.ctx.db.updateTable('environments').set({ removed_at: 3 }).where('id', '=', environment.id).execute()
    await cleanUp()
    expect(existsSync(own())).toBe(false)
    expect(await ports()).toEqual([])
  })
})
