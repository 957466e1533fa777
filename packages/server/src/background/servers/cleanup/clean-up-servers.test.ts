// What ended tasks left on a server goes, and nothing else: on this machine, with real folders, repositories and processes.

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildArtifact } from '../../../../test/action-records.ts'
import { databases } from '../../../../test/databases.ts'
import { buildEnvironment, buildProject, buildServer, buildTask } from '../../../../test/factories.ts'
import { keepFile } from '../../../../test/output/reader.ts'
import { buildOwnedProject } from '../../../../test/owned-project.ts'
import { isAlive } from '../../../../test/process-list.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { stageApp } from '../../../../test/stage/stage-app.ts'
import { startStep, until } from '../../../../test/steps.ts'
import { commitRef } from '../../../commands/git.ts'
import { type Host, ServerUnreachable } from '../../../remote/host.ts'
import { createSource } from '../../../source/source.ts'
import { listServersOfEndedTasks, listServersToCleanUp } from '../../../store/tasks/orphans.ts'
import { createServerJobs, type ServerJobs } from '../jobs/server-jobs.ts'
import { cleanUpServer, cleanUpServers } from './clean-up-servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-orphans-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(databases)('orphans on $name', (source) => {
  const data = join(folder, source.name)
  const server = join(data, 'server', 'test')
  const local = createLocalHost('this machine')
  const app = stageApp(source, { dataFolder: data })
  let project: Awaited<ReturnType<typeof buildOwnedProject>>
  let environment: Awaited<ReturnType<typeof buildEnvironment>>

  beforeEach(async () => {
    project = await buildOwnedProject(app.ctx)
    await app.ctx.db.updateTable('servers').set({ connection: 'local' }).where('id', '=', project.serverId).execute()
    environment = await buildEnvironment(app.ctx, project)
  })

  const ofOwner = () => ({ organizationId: project.organization_id, ownerId: project.owner_id })
  const parts = { source: createSource({ folder: join(data, 'mirrors'), allowedNetworks: [] }) }
  const looksAt = (host: Host) => createServerJobs(app.ctx, { of: () => host, probe: async () => undefined })
  const address = () => ({
    ...({ id: project.serverId, name: 'this machine', connection: 'local', hostname: 'localhost', port: 22 } as const),
    ...({ unixUser: 'root', hostKey: null, recipes: ['manual', 'docker'], runtime: 'compose' } as const),
    principal: 'none',
    hasSignedIn: true,
    mayBePrivate: false,
  })
  const cleanUp = (environmentIds: ReadonlySet<number> | 'all' = 'all') =>
    cleanUpServer(app.ctx, parts, { server: address(), host: local, environmentIds })
  const task = async (status: 'succeeded' | 'failed' | 'canceled' | 'queued' | 'running', sha?: string) => {
    const times = { started_at: 1, ...(status !== 'running' && { finished_at: 2 }) }
    const values = { status, ...(status !== 'queued' && times), ...(sha && { commit_sha: sha }) }
    return (await buildTask(app.ctx, environment.id, values)).id
  }
  const own = (...names: (string | number)[]) => join(server, 'environments', ...[environment.id, ...names].map(String))
  const lay = (id: number | string) => {
    mkdirSync(own('releases', id), { recursive: true })
    mkdirSync(own('tasks', id, 1), { recursive: true })
    writeFileSync(own('tasks', id, 1, 'exit'), '0 0 0 \n')
  }
  const left = (name: string) => (existsSync(own(name)) ? readdirSync(own(name)).sort() : [])
  const names = (ids: readonly (number | string)[]) => ids.map(String).sort()

  test('files of actions stay for their time, whatever becomes of the rest of the task, and go after it', async () => {
    const ids = [await task('succeeded'), await task('succeeded'), await task('failed'), await task('running')] as const
    const [fresh, old, failed, running] = ids
    for (const id of ids) mkdirSync(own('artifacts', id), { recursive: true })
    mkdirSync(own('artifacts', `${failed}.new`))
    mkdirSync(own('artifacts', running + 1_000_000))
    await buildArtifact(app.ctx, fresh)
    await buildArtifact(app.ctx, old, { expires_at: app.ctx.clock() - 1 })
    await cleanUp(new Set([environment.id]))
    expect(left('artifacts')).toHaveLength(6)
    await cleanUp()
    // One that the records do not know is not theirs to remove.
    expect(left('artifacts')).toEqual(names([fresh, running, running + 1_000_000]))
  })

  test('kept output that is too old goes, also of an environment that is no longer deployed', async () => {
    const second = Math.floor(Date.now() / 1000)
    const [old, recent] = [15, 13].map((days) =>
      keepFile(own('output'), { service: 'web', id: 'aaaaaaaaaaaa' }, [[second - days * 86_400, 'x']]),
    )
    await cleanUp()
    expect(left('output').map((name) => own('output', name))).toEqual([recent])
    expect(old).not.toBe(recent)
  })

  test('what serves, what a rollback needs and what has not ended stays; the rest goes', async () => {
    const old = await task('succeeded')
    const kept = [await task('succeeded'), await task('succeeded')]
    const failed = await task('failed')
    const live = await task('succeeded')
    const canceled = await task('canceled')
    const [running, queued] = [await task('running'), await task('queued')]
    for (const id of [old, ...kept, failed, live, canceled, running, queued, 'not-ours', queued + 1_000]) lay(id)
    mkdirSync(own('releases', `${failed}.unfinished.77`))
    mkdirSync(own('releases', `${running}.unfinished.78`))
    writeFileSync(own('variables.env'), 'A=1')
    await cleanUp()
    const unknown = ['not-ours', queued + 1_000]
    const releases = [...kept, live, running, `${running}.unfinished.78`, queued, ...unknown]
    expect(left('releases')).toEqual(names(releases))
    expect(left('tasks')).toEqual(names([running, queued, ...unknown]))
    expect(existsSync(own('variables.env'))).toBe(true)
  })

  test('only the environments that are asked for are checked', async () => {
    const failed = await task('failed')
    lay(failed)
    await cleanUp(new Set([environment.id + 1_000]))
    expect(left('releases')).toEqual(names([failed]))
    await cleanUp(new Set([environment.id]))
    expect(left('releases')).toEqual([])
  })

  test('of a removed environment nothing stays', async () => {
    lay(await task('succeeded'))
    await app.ctx.db.updateTable('environments').set({ removed_at: 3 }).where('id', '=', environment.id).execute()
    await cleanUp()
    expect(existsSync(own())).toBe(false)
  })

  test('a task that ends has every server cleaned up that tasks of its environment ran on, and none is forgotten', async () => {
    await task('succeeded')
    const { id: another } = await buildServer(app.ctx, project.organization_id)
    await app.ctx.db.updateTable('environments').set({ server_id: another }).where('id', '=', environment.id).execute()
    const ended = await task('failed')
    const environmentId = environment.id
    const places = await listServersOfEndedTasks(app.ctx.db, [ended, await task('queued')])
    expect([...places].sort((a, b) => a.serverId - b.serverId)).toEqual([
      { serverId: project.serverId, environmentId },
      { serverId: another, environmentId },
    ])
    expect(await listServersToCleanUp(app.ctx.db, [project.serverId])).toMatchObject([{ recipes: [] }])
    await app.ctx.db
      .updateTable('servers')
      .set({ connection: 'ssh', edge: 'haproxy' })
      .where('id', '=', project.serverId)
      .execute()
    expect(await listServersToCleanUp(app.ctx.db, [project.serverId])).toEqual([])
    await app.ctx.db.updateTable('servers').set({ host_key: 'met' }).where('id', '=', project.serverId).execute()
    expect(await listServersToCleanUp(app.ctx.db, [project.serverId])).toMatchObject([{ recipes: [] }])
  })

  test('what a deleted project had goes, and what the records have never known stays', async () => {
    lay(await task('succeeded'))
    const repository = (id: number) => join(server, 'repositories', `${id}.git`)
    const unknown = [project.id + 1_000, environment.id + 1_000] as const
    for (const id of [project.id, unknown[0]]) mkdirSync(repository(id), { recursive: true })
    mkdirSync(join(server, 'environments', String(unknown[1])))
    await buildEnvironment(app.ctx, await buildProject(app.ctx, ofOwner()))
    await app.ctx.db.deleteFrom('projects').where('id', '=', project.id).execute()
    await cleanUp()
    expect(existsSync(own())).toBe(false)
    expect(existsSync(repository(project.id))).toBe(false)
    expect(existsSync(repository(unknown[0]))).toBe(true)
    expect(existsSync(join(server, 'environments', String(unknown[1])))).toBe(true)
  })

  test('a command that still runs for an ended task is ended', async () => {
    const failed = await task('failed')
    const step = own('tasks', failed, 1)
    const pidFile = join(folder, `pid-${source.name}`)
    await startStep(local, { folder: step, run: { script: `echo $$ >${pidFile}; exec sleep 600` } })
    await until(() => existsSync(pidFile))
    const pid = Number(execFileSync('cat', [pidFile], { encoding: 'utf8' }))
    await cleanUp()
    await until(() => !isAlive(pid))
    expect(left('tasks')).toEqual([])
  })

  test('a release in which a process works stays until that has ended', async () => {
    const failed = await task('failed')
    lay(failed)
    const worker = spawn('sleep', ['600'], { cwd: own('releases', failed) })
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    try {
      await cleanUp()
      expect(left('releases')).toEqual(names([failed]))
      expect(left('tasks')).toEqual([])
    } finally {
      worker.kill('SIGKILL')
      await ended
    }
    await cleanUp()
    expect(left('releases')).toEqual([])
  })

  test('commits that no task needs are let go of', async () => {
    const repository = join(server, 'repositories', `${project.id}.git`)
    execFileSync('git', ['init', '--quiet', '--bare', repository])
    const git = (...words: string[]) => execFileSync('git', [`--git-dir=${repository}`, ...words], { encoding: 'utf8' })
    const tree = git('hash-object', '-t', 'tree', '-w', '/dev/null').trim()
    const shas = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(40))
    for (const sha of shas) git('update-ref', commitRef(sha), tree)
    await task('failed', shas[0])
    await task('succeeded', shas[1])
    await task('canceled', shas[2])
    await task('queued', shas[3])
    mkdirSync(own(), { recursive: true })
    await cleanUp(new Set([environment.id]))
    expect(git('for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual(
      [shas[1], shas[3]].map((sha) => commitRef(sha ?? '')),
    )
  })

  test('the end of a task is enough, and a server that is out of reach is named once', async () => {
    let isDown = true
    const asked: string[] = []
    const host: Host = {
      ...local,
      run: async (command, options) => {
        asked.push(command.join(' '))
        if (isDown) throw new ServerUnreachable('connect', 'The server does not answer')
        return local.run(command, options)
      },
    }
    const failed = await task('failed')
    lay(failed)
    const before = app.logLines.length
    const platform = () => {
      const serverJobs = looksAt(host)
      // The servers of the tests above come one a second: this one's turn would be the last.
      const keep: ServerJobs['define'] = (kind) =>
        serverJobs.define({
          ...kind,
          list: async () => (await kind.list()).filter(({ id }) => id === project.serverId),
        })
      const orphans = cleanUpServers(app.ctx, { ...parts, serverJobs: { ...serverJobs, define: keep } })
      orphans.start()
      return { stop: () => Promise.all([orphans.stop(), serverJobs.stop()]) }
    }
    const first = platform()
    const named = () => app.logLines.slice(before).filter((line) => JSON.parse(line).server === project.serverId)
    await until(() => named().length > 0)
    await first.stop()
    expect(asked.length).toBeGreaterThan(0)
    expect(named()).toEqual([expect.stringContaining('unreachable')])
    const lines = named().length
    isDown = false
    // As after a restart.
    const second = platform()
    await until(() => left('releases').length === 0)
    await second.stop()
    expect(named().slice(lines)).toEqual([])
  })
})
