// Deleting an account: who may, what is handed over, what ends at once, and what still names the person afterwards.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { sameOrigin } from '../../../test/device-flow.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildSession,
  buildTask,
  buildToken,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { weakPasswordHash } from '../../../test/sign-in/weak-password-hash.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { eraseUser } from './erase-user.ts'

const PASSWORD = 'seven green bicycles'

describe.each(databases)('deleting an account on $name', (source) => {
  const app = stageApp(source)

  const arrange = async () => {
    const [admin, owner, ada] = [
      await buildUser(app.ctx, { is_platform_admin: 1 }),
      await buildUser(app.ctx),
      await buildUser(app.ctx),
    ]
    const { id: organizationId } = await buildOrganization(app.ctx, [
      { user: owner, role: 'owner' },
      { user: ada, role: 'admin' },
    ])
    const project = await buildProject(app.ctx, { organizationId, ownerId: ada.id })
    return { admin, owner, ada, organizationId, project }
  }
  const remove = (target: TestUser, as: TestUser | undefined, body?: unknown) =>
    app.call('DELETE', `/api/users/${target.id}`, { as, body })
  const ownersOf = async (table: 'projects' | 'environments', id: number) =>
    (await app.ctx.db.selectFrom(table).where('id', '=', id).select('owner_id').executeTakeFirstOrThrow()).owner_id

  test('is for platform administrators; others learn nothing by asking', async () => {
    const { admin, owner, ada } = await arrange()
    for (const as of [owner, ada]) {
      expect(await remove(owner, as)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
      const find = await app.call('GET', `/api/users?email=${encodeURIComponent(ada.email)}`, { as })
      expect(find).toMatchObject({ status: 403 })
    }
    expect((await remove(ada, undefined)).status).toBe(401)
    expect((await app.call('DELETE', '/api/users/999999', { as: admin })).status).toBe(404)
    const found = await app.call('GET', `/api/users?email=${encodeURIComponent(ada.email.toUpperCase())}`, {
      as: admin,
    })
    expect(found.body).toMatchObject([{ id: ada.id, email: ada.email, organizations: [{ role: 'admin' }] }])
  })

  test('hands over what the person owned, ends every credential, and keeps the name as text', async () => {
    const { admin, owner, ada, organizationId, project } = await arrange()
    const environment = await buildEnvironment(app.ctx, project, { owner_id: ada.id })
    const task = await buildTask(app.ctx, environment.id, {
      started_by: ada.id,
      status: 'succeeded',
      started_at: 1,
      finished_at: 2,
    })
    const token = await buildToken(app.ctx, ada.id, { organization_id: organizationId })
    await app.ctx.db
      .insertInto('ssh_authorities')
      .values({ organization_id: organizationId, public_key: 'key', private_key_sealed: 'sealed' })
      .execute()
    await app.ctx.db
      .insertInto('ssh_certificates')
      .values({
        organization_id: organizationId,
        user_id: ada.id,
        server_id: project.serverId,
        purpose: 'shell',
        serial: 1,
        key_id: 'ada',
        issued_at: app.ctx.clock(),
        valid_before: app.ctx.clock() + 60_000,
      })
      .execute()
    expect((await remove(ada, admin)).status).toBe(204)
    expect(await ownersOf('projects', project.id)).toBe(owner.id)
    expect(await ownersOf('environments', environment.id)).toBe(owner.id)
    for (const as of [ada, { ...ada, token }]) {
      expect((await app.call('GET', '/api/me', { as })).status).toBe(401)
    }
    const certificates = await app.ctx.db
      .selectFrom('ssh_certificates')
      .where('user_id', '=', ada.id)
      .selectAll()
      .execute()
    expect(certificates).toMatchObject([{ revoked_at: app.ctx.clock() }])
    const shown = await app.call('GET', `/api/tasks/${task.id}`, { as: owner })
    expect(shown.body.started_by).toEqual({ id: ada.id, name: ada.name })
    const members = await app.call('GET', `/api/organizations/${organizationId}/members`, { as: owner })
    expect(members.text).not.toContain(ada.email)
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('target_id', '=', ada.id)
      .where('target_kind', 'in', ['user', 'member'])
      .orderBy('id')
      .select(['action', 'target_name', 'user_name'])
      .execute()
    expect(events).toEqual([
      { action: 'member.removed', target_name: ada.name, user_name: admin.name },
      { action: 'user.deleted', target_name: ada.name, user_name: admin.name },
    ])
    const row = await app.ctx.db.selectFrom('users').where('id', '=', ada.id).selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(ada.email)
    expect((await remove(ada, admin)).status).toBe(404)
    const again = await buildUser(app.ctx, { email: ada.email, email_key: ada.email.toLowerCase() })
    expect(again.id).not.toBe(ada.id)
  })

  test('of oneself takes the password, and ends the session that asked', async () => {
    const owner = await buildUser(app.ctx)
    const person = await buildUser(app.ctx, { password_hash: weakPasswordHash(PASSWORD) })
    const { id: organizationId } = await buildOrganization(app.ctx, [
      { user: owner, role: 'owner' },
      { user: person, role: 'member' },
    ])
    const headers = { ...sameOrigin, ...(await buildSession(app.ctx, person.id)) }
    const leave = (password: string) => app.call('DELETE', '/api/me', { headers, body: { password } })
    expect(await leave('another password')).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect((await app.call('GET', '/api/me', { headers })).status).toBe(200)
    expect((await leave(PASSWORD)).status).toBe(204)
    expect((await app.call('GET', '/api/me', { headers })).status).toBe(401)
    const members = await app.call('GET', `/api/organizations/${organizationId}/members`, { as: owner })
    expect(members.text).not.toContain(person.email)
  })

  test('with protected environments needs a new owner', async () => {
    const { admin, owner, ada, project } = await arrange()
    const environment = await buildEnvironment(app.ctx, project, { owner_id: ada.id, is_protected: 1 })
    expect(await remove(ada, admin)).toMatchObject({
      status: 409,
      body: { code: 'new_owner_needed', environments: [{ id: environment.id, name: environment.name }] },
    })
    const stranger = await buildUser(app.ctx)
    expect(await remove(ada, admin, { new_owner_id: stranger.id })).toMatchObject({ status: 409 })
    expect((await app.call('GET', '/api/me', { as: ada })).status).toBe(200)
    expect((await remove(ada, admin, { new_owner_id: owner.id })).status).toBe(204)
    expect(await ownersOf('environments', environment.id)).toBe(owner.id)
  })

  test('is refused for the last owner of an organization and the last platform administrator', async () => {
    const { admin, owner } = await arrange()
    expect(await remove(owner, admin)).toMatchObject({
      status: 409,
      body: { code: 'last_owner', detail: expect.stringContaining('Add another owner') },
    })
    await app.ctx.db.updateTable('users').set({ is_platform_admin: 0 }).where('id', '!=', admin.id).execute()
    expect(await remove(admin, admin)).toMatchObject({
      status: 409,
      body: { code: 'last_owner', detail: expect.stringContaining('last platform administrator') },
    })
  })

  test('is not blocked by an address that another account took in advance', async () => {
    const { admin, ada } = await arrange()
    const taken = `deleted-${ada.id}@deleted.invalid`
    await buildUser(app.ctx, { email: taken, email_key: taken })
    expect((await remove(ada, admin)).status).toBe(204)
  })

  test('leaves no worth to a sign-in that was under way', async () => {
    const { admin, ada } = await arrange()
    expect((await remove(ada, admin)).status).toBe(204)
    const token = await buildToken(app.ctx, ada.id)
    for (const path of ['/api/me', '/api/organizations']) {
      expect((await app.call('GET', path, { as: { ...ada, token } })).status).toBe(401)
    }
  })

  test('leaves one of two platform administrators who are deleted at once', async () => {
    const [one, other] = [
      await buildUser(app.ctx, { is_platform_admin: 1 }),
      await buildUser(app.ctx, { is_platform_admin: 1 }),
    ]
    const both = [one.id, other.id]
    await app.ctx.db.updateTable('users').set({ is_platform_admin: 0 }).where('id', 'not in', both).execute()
    const ended = await Promise.allSettled(
      both.map((userId) => app.ctx.change(PLATFORM, (tx) => eraseUser(tx, { userId, newOwnerId: undefined, at: 1 }))),
    )
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const left = app.ctx.db.selectFrom('users').where('is_platform_admin', '=', 1).select('id')
    expect(await left.execute()).toHaveLength(1)
  })
})
