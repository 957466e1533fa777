// Uploads through the API: whose environment they go to, what it gets, when it goes, and what they can never touch.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { endAllTasks, takeNext } from '../../../test/deployments.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { createOrigin, type Origin } from '../../../test/origin.ts'
import { commitAlone, objectsOf, packOf } from '../../../test/pack.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { openTestApp } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { UPLOAD_LIMITS } from '../../domain/upload-limits.ts'
import { expireEnvironments } from '../../operations/environments/expire-environments.ts'
import { endTask } from '../../progress/progress.ts'
import { loadVariables } from '../../runner/load-variables.ts'
import { createGitHosts } from '../../source/git-hosts.ts'
import { createRepositories } from '../../source/repositories.ts'
import { createSource } from '../../source/source.ts'
import { listEnvironmentsOfBranch, updateEnvironment } from '../../store/environments/environments.ts'
import { findUpload, readUpload } from '../../store/environments/uploads.ts'
import { findTaskToRun } from '../../store/tasks/tasks-to-run.ts'

const HOUR = 3_600_000
const folder = mkdtempSync(join(tmpdir(), 'uploads-'))
afterAll(() => rmSync(folder, { recursive: true }))

const real = createSource({ folder: join(folder, 'mirrors'), allowedNetworks: [] })
const repositories = createRepositories(real, createGitHosts({ allowedNetworks: [] }))
const noPack = Buffer.from('no pack')
const head = 'b'.repeat(40)
let made = 0

describe.each(databases)('uploads on $name', (source) => {
  const app = stageApp(source, {}, { repositories })
  let ada: TestUser
  let bob: TestUser
  let viewer: TestUser
  let project: Awaited<ReturnType<typeof buildProject>>
  let origin: Origin

  beforeEach(async () => {
    await endAllTasks(app.ctx)
    ada = await buildUser(app.ctx, { name: 'Ada' })
    bob = await buildUser(app.ctx, { name: 'Ada' })
    viewer = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [
      { user: ada, role: 'owner' },
      { user: bob, role: 'member' },
      { user: viewer, role: 'viewer' },
    ])
    const server = await buildServer(app.ctx, organization.id)
    const of = { organizationId: organization.id, ownerId: ada.id, serverId: server.id }
    project = await buildProject(app.ctx, of, { domain: `shop-${++made}.example.com` })
    origin = createOrigin(join(folder, `${made}.git`))
  })

  const treeOf = (content: string): { sha: string; pack: Buffer } => {
    const sha = commitAlone(origin, origin.commit({ 'a.txt': content }, { branch: `local-${content}` }))
    return { sha, pack: packOf(origin, objectsOf(origin, sha)) }
  }
  type Sent = { readonly query?: string; readonly branch?: string; readonly pack?: Buffer }
  const urlOf = (sha: string, { query = '', branch = 'main' }: Sent = {}) =>
    `/api/projects/${project.id}/uploads?commit=${sha}&head=${head}&branch=${branch}${query}`
  const upload = (as: TestUser, content: string, sent: Sent = {}) => {
    const { sha, pack } = treeOf(content)
    const headers = { 'content-type': 'application/octet-stream' }
    return app.call('POST', urlOf(sha, sent), { as, body: sent.pack ?? pack, headers })
  }
  const finish = async (status: 'succeeded' | 'failed' = 'succeeded') =>
    endTask(app.ctx, await takeNext(app.ctx), { status })
  const shown = async (id: number) => (await app.call('GET', `/api/environments/${id}`, { as: ada })).body

  test('the first makes an environment that expires, and the next deploys it again', async () => {
    const first = await upload(ada, 'one', { branch: 'feature%2Flogin' })
    expect(first).toMatchObject({ status: 201 })
    const { environment, task } = first.body
    const sha = treeOf('one').sha
    expect(environment).toMatchObject({
      name: 'up-ada-feature-login',
      type: 'manual',
      branch: 'feature/login',
      recipe: 'docker',
      auto_deploy: false,
      status: 'deploying',
      upload: { by: { id: ada.id, name: 'Ada' }, commit_sha: sha, head_sha: head },
    })
    expect(task).toMatchObject({ kind: 'deploy', commit: { sha }, started_by: { id: ada.id } })
    expect(await upload(ada, 'two', { branch: 'feature%2Flogin' })).toMatchObject({
      status: 409,
      body: { code: 'deployment_in_progress' },
    })
    await finish()
    const expires = async () => Date.parse((await shown(environment.id)).expires_at) - app.ctx.clock()
    expect(await expires()).toBe(24 * HOUR)
    app.moveClock(5 * HOUR)
    const second = await upload(ada, 'two', { branch: 'feature%2Flogin', query: '&expires_after=3d' })
    expect(second.body.environment).toMatchObject({ id: environment.id, upload: { commit_sha: treeOf('two').sha } })
    await finish()
    expect(await expires()).toBe(72 * HOUR)
    // What is stored is what was sent.
    const stored = await findUpload(app.ctx.db, environment.id)
    const chunks: Uint8Array[] = []
    for await (const chunk of readUpload(app.ctx.db, stored?.id ?? 0)) chunks.push(chunk)
    expect(Buffer.concat(chunks)).toEqual(treeOf('two').pack)
  })

  test("another user with the same name gets another environment, and cannot reach the first one's", async () => {
    const [mine, other] = [await upload(ada, 'one'), await upload(bob, 'two')]
    expect([mine.body.environment.name, other.body.environment.name]).toEqual(['up-ada-main', 'up-ada-main-2'])
    expect((await shown(mine.body.environment.id)).upload.commit_sha).toBe(treeOf('one').sha)
    const start = { as: bob, body: { commit: treeOf('two').sha } }
    await finish()
    await finish()
    expect(await app.call('POST', `/api/environments/${mine.body.environment.id}/tasks`, start)).toMatchObject({
      status: 422,
    })
  })

  test('viewers, strangers and guests cannot upload, nor find out what the platform has', async () => {
    const stranger = await buildUser(app.ctx)
    const { sha } = treeOf('one')
    const base = `/api/projects/${project.id}/uploads/base`
    for (const [as, status] of [[viewer, 403] as const, [stranger, 404] as const, [undefined, 401] as const]) {
      expect(await app.call('POST', urlOf(sha), { as })).toMatchObject({ status })
      expect(await app.call('POST', base, { as, body: { commits: [sha] } })).toMatchObject({ status })
    }
  })

  test('a redeployment takes the newest upload, and neither a branch nor another commit', async () => {
    const { environment } = (await upload(ada, 'one')).body
    await finish()
    const deploy = (body: object) => app.call('POST', `/api/environments/${environment.id}/tasks`, { as: ada, body })
    expect(await deploy({ branch: 'main' })).toMatchObject({ status: 422 })
    expect(await deploy({ commit: 'c'.repeat(40) })).toMatchObject({ status: 422 })
    const again = await deploy({})
    expect(again.body).toMatchObject({ commit: { sha: treeOf('one').sha } })
    const task = await findTaskToRun(app.ctx.db, again.body.id)
    expect(task).toMatchObject({ isCommitAdmitted: true, recipe: 'docker', environment: { isUpload: true } })
    await finish()
    const reset = await app.call('POST', `/api/environments/${environment.id}/reset`, { as: ada })
    expect(reset.body).toMatchObject({ kind: 'reset', commit: { sha: treeOf('one').sha } })
  })

  test('rollbacks find their upload, and older ones are deleted', async () => {
    const { environment, task: first } = (await upload(ada, 'v1')).body
    await finish()
    for (const content of ['v2', 'v3', 'v4', 'v5']) {
      await upload(ada, content)
      await finish()
    }
    await upload(ada, 'v6')
    await finish('failed')
    const kept = await app.ctx.db
      .selectFrom('uploads')
      .where('environment_id', '=', environment.id)
      .select('commit_sha')
      .execute()
    expect(new Set(kept.map((row) => row.commit_sha))).toEqual(
      new Set(['v3', 'v4', 'v5', 'v6'].map((v) => treeOf(v).sha)),
    )
    const rollBack = (task_id: number) =>
      app.call('POST', `/api/environments/${environment.id}/rollback`, { as: ada, body: { task_id } })
    expect(await rollBack(first.id)).toMatchObject({ status: 409, body: { code: 'too_late' } })
    const tasks = (await app.call('GET', `/api/environments/${environment.id}/tasks?limit=50`, { as: ada })).body
    const third = tasks.find((task: { commit: { sha: string } }) => task.commit.sha === treeOf('v3').sha)
    expect(await rollBack(third.id)).toMatchObject({ status: 201, body: { commit: { sha: treeOf('v3').sha } } })
  })

  test('pushes do not touch it, and what makes it an upload cannot be changed', async () => {
    const { environment } = (await upload(ada, 'one')).body
    await finish()
    const change = (body: object) => app.call('PATCH', `/api/environments/${environment.id}`, { as: ada, body })
    for (const body of [
      { branch: 'other' },
      { recipe: null },
      { auto_deploy: true },
      { protected: true },
      { sticky: true },
    ])
      expect(await change(body)).toMatchObject({ status: 422, body: { errors: [{ code: 'upload' }] } })
    expect(await change({ title: 'Demo' })).toMatchObject({ status: 200 })
    const grant = { as: ada, body: { capabilities: ['privileged'] } }
    const granted = await app.call('PUT', `/api/environments/${environment.id}/grants`, grant)
    expect(granted.status).not.toBe(200)
    expect(await listEnvironmentsOfBranch(app.ctx.db, project.id, 'main')).toEqual([])
  })

  test('variables of the project are handed over only where it allows that', async () => {
    await app.call('PATCH', `/api/projects/${project.id}/variables`, {
      as: ada,
      body: { set: { SHARED: 'of project' } },
    })
    const { environment, task } = (await upload(ada, 'one')).body
    await app.call('PATCH', `/api/environments/${environment.id}/variables`, { as: ada, body: { set: { OWN: 'own' } } })
    const handed = async () => {
      const found = await findTaskToRun(app.ctx.db, task.id)
      if (!found) throw new Error('The task is there')
      const of = { id: environment.id, projectId: project.id }
      return [...(await loadVariables(app.ctx, of, found.environment)).variables.keys()].sort()
    }
    const listed = async () => {
      const { body } = await app.call('GET', `/api/environments/${environment.id}/variables`, { as: ada })
      return body.variables.map(({ key }: { key: string }) => key)
    }
    expect([await handed(), await listed()]).toEqual([['OWN'], ['OWN']])
    const allow = (as: TestUser) =>
      app.call('PATCH', `/api/projects/${project.id}`, { as, body: { upload_variables: true } })
    expect(await allow(bob)).toMatchObject({ status: 403 })
    expect(await allow(ada)).toMatchObject({ status: 200, body: { upload_variables: true } })
    expect([await handed(), await listed()]).toEqual([
      ['OWN', 'SHARED'],
      ['OWN', 'SHARED'],
    ])
  })

  test('extended, it stays for a day', async () => {
    const { environment } = (await upload(ada, 'one', { query: '&expires_after=2h' })).body
    await finish('succeeded')
    app.moveClock(HOUR)
    const extended = await app.call('POST', `/api/environments/${environment.id}/extend`, { as: ada })
    const until = new Date(app.ctx.clock() + 24 * HOUR).toISOString()
    expect(extended).toMatchObject({ status: 200, body: { expires_at: until } })
    app.moveClock(24 * HOUR - 1)
    await expireEnvironments(app.ctx)
    expect(await shown(environment.id)).toMatchObject({ status: 'running', expires_at: until })
    app.moveClock(1)
    await expireEnvironments(app.ctx)
    expect(await shown(environment.id)).toMatchObject({ status: 'removing' })
  })

  test('it counts towards the limit, and goes when its time is over, with what was sent', async () => {
    await app.ctx.db.updateTable('projects').set({ environment_limit: 1 }).where('id', '=', project.id).execute()
    const { environment } = (await upload(ada, 'one', { query: '&expires_after=2h' })).body
    await finish('failed')
    expect(await upload(bob, 'two')).toMatchObject({ status: 409, body: { code: 'environment_limit_reached' } })
    app.moveClock(2 * HOUR - 1)
    await expireEnvironments(app.ctx)
    expect(await shown(environment.id)).toMatchObject({ status: 'failed' })
    app.moveClock(1)
    await expireEnvironments(app.ctx)
    await expireEnvironments(app.ctx)
    const tasks = await app.ctx.db
      .selectFrom('tasks')
      .where('environment_id', '=', environment.id)
      .selectAll()
      .execute()
    expect(tasks.map(({ kind, because }) => [kind, because])).toEqual([
      ['deploy', null],
      ['remove', 'because the time of its upload was over'],
    ])
    // As the runner does at the end of a removal.
    await app.ctx.change(PLATFORM, (tx) => updateEnvironment(tx, environment.id, { removed_at: app.ctx.clock() }))
    const { uploads } = await app.ctx.db
      .selectFrom('uploads')
      .where('environment_id', '=', environment.id)
      .select((eb) => eb.fn.countAll<number | string>().as('uploads'))
      .executeTakeFirstOrThrow()
    expect(Number(uploads)).toBe(0)
    const kept = await app.ctx.db.selectFrom('uploads').select('id').execute()
    const chunks = await app.ctx.db.selectFrom('upload_chunks').select('upload_id').distinct().execute()
    const ids = kept.map(({ id }) => id)
    expect(chunks.filter((chunk) => !ids.includes(chunk.upload_id))).toEqual([])
  })

  test('a project whose uploads are full receives nothing', async () => {
    const { environment } = (await upload(ada, 'one')).body
    await finish()
    // Before the pack is read: this one would be refused for what it is.
    const send = () => upload(bob, 'two', { pack: noPack })
    const store = (bytes: number) =>
      app.ctx.db.updateTable('uploads').set({ bytes }).where('environment_id', '=', environment.id).execute()
    await store(UPLOAD_LIMITS.projectBytes)
    expect(await send()).toMatchObject({ status: 409, body: { code: 'uploads_full' } })
    await store(UPLOAD_LIMITS.projectBytes - noPack.length)
    expect(await send()).toMatchObject({ status: 422, body: { code: 'upload_refused' } })
  })

  test.each([
    ['that git refuses', { pack: noPack }, 422, 'upload_refused'],
    ['for longer than a week', { query: '&expires_after=8d' }, 422, 'validation_failed'],
    ['that builds on an unknown commit', { query: `&base=${'c'.repeat(40)}` }, 422, 'upload_refused'],
    ['with a field that is not known', { query: '&name=staging' }, 422, 'validation_failed'],
  ])('an upload %s makes nothing', async (_what, sent, status, code) => {
    const before = await app.ctx.db.selectFrom('environments').select('id').execute()
    expect(await upload(ada, 'one', sent)).toMatchObject({ status, body: { code } })
    expect(await app.ctx.db.selectFrom('environments').select('id').execute()).toEqual(before)
    expect(readdirSync(join(folder, 'mirrors/uploads'))).toEqual([])
  })

  test('of two at once, one is refused; one that breaks off leaves nothing, and the next works', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.app.server.address() as AddressInfo
    const { sha, pack } = treeOf('slow')
    const headers = {
      host: 'ship.example.com',
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/octet-stream',
      'content-length': String(pack.length),
    }
    const slow = sendRequest({ port, method: 'POST', path: urlOf(sha), headers })
    const broken = new Promise((resolve) => slow.once('error', resolve))
    slow.write(pack.subarray(0, 20))
    const files = () => readdirSync(join(folder, 'mirrors/uploads'))
    await expect.poll(files).toHaveLength(1)
    expect(await upload(bob, 'two')).toMatchObject({ status: 409, body: { code: 'upload_in_progress' } })
    slow.destroy()
    await broken
    await expect.poll(files).toEqual([])
    await expect.poll(async () => (await upload(bob, 'two')).status).toBe(201)
    expect(app.logLines.join('')).not.toContain('request failed')
    const environments = await app.ctx.db
      .selectFrom('environments')
      .where('project_id', '=', project.id)
      .select('name')
      .execute()
    expect(environments).toEqual([{ name: 'up-ada-main' }])
  })

  test("a name that the user's environment would have is left to its owner", async () => {
    await buildEnvironment(app.ctx, project, { name: 'up-ada-main' })
    expect((await upload(ada, 'one')).body.environment.name).toBe('up-ada-main-2')
  })
})

test('a platform without free disk receives nothing', async () => {
  const [source] = databases
  if (!source) throw new Error('The embedded database is always there')
  // No file system has less free space.
  const app = await openTestApp(source, { dataFolder: '/proc' }, { repositories })
  try {
    const owner = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    const server = await buildServer(app.ctx, organization.id)
    const project = await buildProject(app.ctx, {
      organizationId: organization.id,
      ownerId: owner.id,
      serverId: server.id,
    })
    const url = `/api/projects/${project.id}/uploads?commit=${head}&head=${head}&branch=main`
    const headers = { 'content-type': 'application/octet-stream' }
    expect(await app.call('POST', url, { as: owner, body: noPack, headers })).toMatchObject({
      status: 503,
      body: { code: 'unavailable', detail: expect.stringContaining('1024 MiB free') },
    })
  } finally {
    await app.close()
  }
})
