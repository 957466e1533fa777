// What a member without two-factor codes still reaches of an organization that requires them: nothing, by no way in.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { sameOrigin } from '../../test/device-flow.ts'
import {
  buildEnvironment,
  buildOauthToken,
  buildOrganization,
  buildProject,
  buildSession,
  buildToken,
  buildUser,
  type TestUser,
} from '../../test/factories.ts'
import { isOfType, openLiveReader } from '../../test/live-reader.ts'
import { weakPasswordHash } from '../../test/sign-in/weak-password-hash.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { NO_PASSWORD } from '../domain/people/no-password.ts'
import { Secret } from '../secrets/secret.ts'
import { codeAt, STEP_MS } from '../secrets/sign-in/totp.ts'

const password = 'seven green bicycles'

describe.each(databases)('required two-factor codes on $name', (source) => {
  const app = stageApp(source)
  let owner: TestUser
  let member: TestUser
  let organization: { id: number; name: string }
  let environmentId: number
  let passwordHash: string

  beforeAll(async () => {
    passwordHash = weakPasswordHash(password)
    await app.app.listen({ host: '127.0.0.1', port: 0 })
  })
  beforeEach(async () => {
    owner = await withCodes(await buildUser(app.ctx))
    member = await buildUser(app.ctx, { password_hash: passwordHash })
    organization = await buildOrganization(app.ctx, [
      { user: owner, role: 'owner' },
      { user: member, role: 'admin' },
    ])
    const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: owner.id })
    environmentId = (await buildEnvironment(app.ctx, project)).id
  })

  /** As the records have it after a first code. */
  async function withCodes(user: TestUser): Promise<TestUser> {
    const values = { user_id: user.id, key_id: `key-${user.id}`, secret_sealed: 'x', created_at: 1, confirmed_at: 1 }
    await app.ctx.db.insertInto('second_factors').values(values).execute()
    return user
  }
  const require = (isOn: boolean, as: { token: string } = owner) =>
    app.call('PATCH', `/api/organizations/${organization.id}`, { as, body: { require_two_factor: isOn } })
  const me = async (headers: Record<string, string>) => (await app.call('GET', '/api/me', { headers })).body
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  /** Every way in that the member has. */
  async function waysIn(): Promise<readonly (readonly [string, Record<string, string>])[]> {
    return [
      ['session', await buildSession(app.ctx, member.id)],
      ['personal token', bearer(member.token)],
      ['bound token', bearer(await buildToken(app.ctx, member.id, { organization_id: organization.id }))],
      ['command line', bearer(await buildOauthToken(app.ctx, member.id))],
    ]
  }

  test('no session and no token of a member without codes reaches the organization, and the answer says why', async () => {
    const ways = await waysIn()
    const paths = [
      `/api/environments/${environmentId}`,
      `/api/environments/${environmentId}/variables`,
      `/api/organizations/${organization.id}/members`,
      '/api/projects',
    ]
    for (const [, headers] of ways) expect((await app.call('GET', paths[0] ?? '', { headers })).status).toBe(200)
    expect(await require(true)).toMatchObject({ status: 200, body: { require_two_factor: true } })
    for (const [how, headers] of ways) {
      for (const path of paths) {
        const answer = await app.call('GET', path, { headers })
        expect([how, path, answer.status, answer.body.code]).toEqual([how, path, 403, 'second_factor_required'])
        expect(answer.body.detail).toContain('https://ship.example.com/profile')
      }
      const deploy = await app.call('POST', `/api/environments/${environmentId}/tasks`, {
        headers: { ...headers, ...sameOrigin },
      })
      expect([how, deploy.status]).toEqual([how, 403])
      const ssh = await app.call('POST', `/api/environments/${environmentId}/runs`, {
        headers: { ...headers, ...sameOrigin },
        body: { command: 'true' },
      })
      expect([how, ssh.status]).toEqual([how, 403])
      expect(await me(headers)).toMatchObject({
        organizations: [],
        needs_two_factor: {
          by_platform: false,
          organizations: [{ id: organization.id, name: organization.name, role: 'admin' }],
        },
      })
    }
    expect((await app.call('GET', paths[0] ?? '', { as: owner })).status).toBe(200)
    await require(false)
    for (const [, headers] of ways) expect((await app.call('GET', paths[0] ?? '', { headers })).status).toBe(200)
  })

  test('with codes turned on everything is reached again, also with the tokens from before; without them it ends', async () => {
    const headers = { ...sameOrigin, ...(await buildSession(app.ctx, member.id)) }
    await require(true)
    const started = await app.call('POST', '/api/me/second-factor', { headers, body: { password } })
    expect(started.status).toBe(201)
    const code = (away: number) => codeAt(new Secret(started.body.secret), Math.floor(app.ctx.clock() / STEP_MS) + away)
    const read = async () => (await app.call('GET', `/api/environments/${environmentId}`, { as: member })).status
    // A secret that no code has confirmed is none.
    expect(await read()).toBe(403)
    await app.call('POST', '/api/me/second-factor/confirmation', { headers, body: { otp: code(0) } })
    expect(await read()).toBe(200)
    expect((await me(headers)).needs_two_factor).toBeNull()
    const stop = await app.call('DELETE', '/api/me/second-factor', { headers, body: { password, otp: code(1) } })
    expect(stop.status).toBe(204)
    expect(await read()).toBe(403)
  })

  test('a live connection loses the organization at once, and gets it back', async () => {
    const reader = await openLiveReader(app.app, { headers: bearer(member.token) })
    const topic = `environment:${environmentId}`
    await reader.subscribe(topic)
    await require(true)
    expect(await reader.next(isOfType('unsubscribed'))).toMatchObject({ topic })
    reader.send({ type: 'subscribe', id: 'again', topic })
    expect((await reader.next(isOfType('error'))).code).toBe('not_found')
    await require(false)
    await reader.subscribe(topic)
    reader.socket.close()
  })

  test('certificates for ssh that are out already are revoked', async () => {
    await app.ctx.db
      .insertInto('ssh_authorities')
      .values({ organization_id: organization.id, public_key: `key ${organization.id}`, private_key_sealed: 'x' })
      .execute()
    await app.ctx.db
      .insertInto('ssh_certificates')
      .values({
        organization_id: organization.id,
        user_id: member.id,
        serial: 70_000 + member.id,
        server_id: null,
        environment_id: null,
        purpose: 'shell',
        key_id: 'test',
        issued_at: app.ctx.clock(),
        valid_before: app.ctx.clock() + 60_000,
      })
      .execute()
    await require(true)
    const row = await app.ctx.db
      .selectFrom('ssh_certificates')
      .where('user_id', '=', member.id)
      .select('revoked_at')
      .executeTakeFirstOrThrow()
    expect(row.revoked_at).toBe(app.ctx.clock())
  })

  test('a member of another organization as well keeps that one; what is hidden reads like what does not exist', async () => {
    const other = await buildOrganization(app.ctx, [{ user: member, role: 'member' }])
    await require(true)
    const ask = (path: string, headers: Record<string, string> = {}) => app.call('GET', path, { as: member, headers })
    expect((await ask(`/api/organizations/${other.id}`)).status).toBe(200)
    const id = { 'x-request-id': 'the-same-id' }
    const hidden = await ask(`/api/environments/${environmentId}`, id)
    expect(hidden).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(hidden.body.detail).toContain('hidden until you turn on two-factor codes')
    expect((await ask('/api/environments/987654321', id)).text).toBe(hidden.text)
    const named = await ask('/api/projects', { 'x-service-organization': String(organization.id) })
    expect(named).toMatchObject({ status: 403, body: { code: 'second_factor_required' } })
    expect((await ask('/api/projects', { 'x-service-organization': '987654321' })).status).toBe(404)
  })

  test('an account without a password, which signs in with the provider alone, counts as having two factors', async () => {
    await app.ctx.db.updateTable('users').set({ password_hash: NO_PASSWORD }).where('id', '=', member.id).execute()
    await require(true)
    expect((await app.call('GET', `/api/environments/${environmentId}`, { as: member })).status).toBe(200)
  })

  test('only an owner who has codes turns it on, and administrators see who has none', async () => {
    expect(await require(true, member)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    const plain = await buildUser(app.ctx)
    const viewer = await buildUser(app.ctx)
    for (const [user, role] of [
      [plain, 'owner'],
      [viewer, 'viewer'],
    ] as const) {
      const values = { organization_id: organization.id, user_id: user.id, role, created_at: 1 }
      await app.ctx.db.insertInto('memberships').values(values).execute()
    }
    expect(await require(true, plain)).toMatchObject({ status: 409, body: { code: 'second_factor_off' } })
    const list = async (as: TestUser) =>
      new Map<number, boolean | null>(
        (await app.call('GET', `/api/organizations/${organization.id}/members`, { as })).body.map(
          (each: { user: { id: number }; has_two_factor: boolean | null }) => [each.user.id, each.has_two_factor],
        ),
      )
    expect([...(await list(owner))].sort()).toEqual(
      [
        [owner.id, true],
        [member.id, false],
        [plain.id, false],
        [viewer.id, false],
      ].sort(),
    )
    expect([...(await list(viewer)).values()]).toEqual([null, null, null, null])
    await require(true)
    const audit = await app.call('GET', `/api/organizations/${organization.id}/audit`, { as: owner })
    expect(audit.body[0]).toMatchObject({ action: 'organization.updated', fields: ['require_two_factor'] })
  })

  test('the platform requires them of everybody, administrators too', async () => {
    const admin = await withCodes(await buildUser(app.ctx, { is_platform_admin: 1 }))
    const careless = await buildUser(app.ctx, { is_platform_admin: 1 })
    const set = (isOn: boolean, as: TestUser) =>
      app.call('PATCH', '/api/platform', { as, body: { require_two_factor: isOn } })
    expect(await set(true, owner)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect(await set(true, careless)).toMatchObject({ status: 409, body: { code: 'second_factor_off' } })
    const without = (await app.call('GET', '/api/users', { as: admin })).body.filter(
      (user: { has_two_factor: boolean }) => !user.has_two_factor,
    )
    expect(without.map(({ id }: { id: number }) => id)).toContain(careless.id)
    expect(await set(true, admin)).toMatchObject({ status: 200, body: { require_two_factor: true } })
    for (const path of ['/api/platform', '/api/users']) {
      expect(await app.call('GET', path, { as: careless })).toMatchObject({
        status: 403,
        body: { code: 'second_factor_required' },
      })
    }
    expect((await app.call('GET', `/api/environments/${environmentId}`, { as: member })).status).toBe(403)
    expect((await app.call('GET', `/api/environments/${environmentId}`, { as: owner })).status).toBe(200)
    expect(await me(bearer(careless.token))).toMatchObject({
      is_platform_admin: false,
      needs_two_factor: { by_platform: true, organizations: [] },
    })
    expect((await set(false, admin)).status).toBe(200)
    expect((await app.call('GET', '/api/users', { as: careless })).status).toBe(200)
  })
})
