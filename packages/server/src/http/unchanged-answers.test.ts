// Answers that are kept are never old and never another's.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildToken,
  buildUser,
  type TestUser,
} from '../../test/factories.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageMembers } from '../../test/stage/stage-members.ts'
import { openTestApp } from '../../test/test-app.ts'
import { openDatabase } from '../store/database.ts'

describe.each(databases)('kept answers on $name', (source) => {
  const app = stageApp(source)
  const { owner, organization } = stageMembers(app, { owner: 'owner' })

  const names = async (as: TestUser, headers: Record<string, string> = {}): Promise<string[]> => {
    const answer = await app.call('GET', '/api/servers', { as, headers })
    return answer.body.map((server: { name: string }) => server.name)
  }

  test('asked twice, the answer and its headers are the same', async () => {
    for (let count = 0; count < 3; count++) await buildServer(app.ctx, organization.id)
    const [first, second] = [
      await app.call('GET', '/api/servers?limit=2', { as: owner }),
      await app.call('GET', '/api/servers?limit=2', { as: owner }),
    ]
    expect(second).toMatchObject({ status: 200, text: first.text })
    expect(second.headers.link).toBe(first.headers.link)
    expect(second.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  test('a change shows at once', async () => {
    const server = await buildServer(app.ctx, organization.id, { name: 'Before' })
    expect(await names(owner)).toContain('Before')
    await app.call('PATCH', `/api/servers/${server.id}`, { as: owner, body: { name: 'After' } })
    expect(await names(owner)).toContain('After')
    expect(await names(owner)).not.toContain('Before')
    await app.call('DELETE', `/api/servers/${server.id}`, { as: owner })
    expect(await names(owner)).not.toContain('After')
  })

  test('a change that was rolled back leaves no trace', async () => {
    const expected = await names(owner)
    const failing = app.ctx.db.transaction().execute(async (db) => {
      await buildServer({ db, clock: app.ctx.clock }, organization.id, { name: 'Never' })
      throw new Error('back')
    })
    await expect(failing).rejects.toThrow('back')
    expect(await names(owner)).toEqual(expected)
  })

  test('what a task does shows in the list of environments', async () => {
    const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: owner.id })
    const environment = await buildEnvironment(app.ctx, project)
    const locked = async () =>
      (await app.call('GET', `/api/projects/${project.id}/environments`, { as: owner })).body[0].locked
    expect(await locked()).toBe(false)
    await buildTask(app.ctx, environment.id)
    expect(await locked()).toBe(true)
  })

  test('nobody is given what was made for another, or for the same one with other roles', async () => {
    const stranger = await buildUser(app.ctx)
    await buildOrganization(app.ctx, [{ user: stranger, role: 'owner' }])
    expect(await names(owner)).not.toEqual([])
    expect(await names(stranger)).toEqual([])
    const second = await buildOrganization(app.ctx, [{ user: owner, role: 'viewer' }])
    expect(await names(owner)).not.toEqual([])
    expect(await names(owner, { 'x-service-organization': String(second.id) })).toEqual([])
    await app.ctx.db.deleteFrom('memberships').where('organization_id', '=', organization.id).execute()
    expect(await names(owner)).toEqual([])
  })
})

describe.each(databases)('a token whose answers are kept on $name', (source) => {
  test('is refused once it has ended, was revoked, or asks too often', async () => {
    const app = await openTestApp(source, { apiRequestsPerMinute: 5 })
    const user = await buildUser(app.ctx)
    await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const token = await buildToken(app.ctx, user.id, { expires_at: app.ctx.clock() + 30_000 })
    const status = async (as: string) => (await app.call('GET', '/api/servers', { as: { token: as } })).status
    expect([await status(token), await status(token)]).toEqual([200, 200])
    app.moveClock(30_000)
    expect(await status(token)).toBe(401)
    expect([await status(user.token), await status(user.token)]).toEqual([200, 200])
    await app.ctx.db.updateTable('personal_tokens').set({ revoked_at: app.ctx.clock() }).execute()
    expect(await status(user.token)).toBe(401)
    const another = await buildToken(app.ctx, user.id)
    app.moveClock(60_000)
    const statuses = []
    for (let count = 0; count < 6; count++) statuses.push(await status(another))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    await app.close()
  })
})

test.each(databases)('every change by another program shows at once on $name, however many ask', async (source) => {
  const database = await source.openEmpty()
  const other = await openDatabase(database.address)
  await sql`create table notes (text text)`.execute(other.db)
  // Writes to the other databases of the cluster count as well, and other tests make some.
  const askTwice = async () => new Set([await database.version(), await database.version()])
  await expect.poll(async () => (await askTwice()).size).toBe(1)
  let last = await database.version()
  for (let round = 0; round < 50; round++) {
    const asked = Array.from({ length: 5 }, () => database.version())
    await sql`insert into notes (text) values ('a')`.execute(other.db)
    const version = await database.version()
    expect(version).not.toBe(last)
    await Promise.all(asked)
    last = version
  }
  await other.close()
  await database.drop()
})
