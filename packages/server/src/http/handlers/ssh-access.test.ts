// Certificates for people: who gets which, and that nothing in one is the caller's to choose.
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { readSshCertificate } from '../../../test/access/read-ssh-certificate.ts'
import { buildSshAccess } from '../../../test/access/ssh-access-records.ts'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageMembers } from '../../../test/stage/stage-members.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'

const key = generateSshKey('somebody').publicKey
const hostKey = generateSshKey('').publicKey

describe.each(databases)('certificates for people on $name', (source) => {
  const app = stageApp(source, { apiRequestsPerMinute: 100_000 })
  const roles = { owner: 'owner', admin: 'admin', member: 'member', viewer: 'viewer' } as const
  const { owner, admin, member, viewer, organization } = stageMembers(app, roles)
  let server: Awaited<ReturnType<typeof buildServer>>
  let authorityKey: string
  let environmentId: number

  beforeEach(async () => {
    server = await buildServer(app.ctx, organization.id, { host_key: hostKey, hostname: 'one.example.com', port: 2222 })
    authorityKey = await buildSshAccess(app.ctx, server)
    environmentId = await environmentOn(server.id)
  })
  const environmentOn = async (serverId: number): Promise<number> => {
    const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: owner.id, serverId })
    return (await buildEnvironment(app.ctx, project)).id
  }
  const ask = (as: { token: string }, body: object, headers: Record<string, string> = {}) =>
    app.call('POST', `/api/servers/${server.id}/ssh`, { as, body: { public_key: key, ...body }, headers })
  const logs = (): object => ({ purpose: 'logs', environment_id: environmentId })
  const audit = async () => {
    const events = await app.ctx.db.selectFrom('audit_events').orderBy('id', 'desc').limit(1).selectAll().execute()
    return events[0]
  }

  test('one for logs has every field, and runs one command', async () => {
    const answer = await ask(viewer, logs())
    const { certificate, serial, key_id, ...rest } = answer.body
    expect(answer.status).toBe(201)
    expect(rest).toEqual({
      principals: [`${server.principal}-logs`],
      valid_after: '2026-01-02T03:03:05.000Z',
      valid_before: '2026-01-02T03:13:05.000Z',
      critical_options: { 'force-command': `sh .shipway/test/read-output.sh ${environmentId}` },
      extensions: [],
      ca_fingerprint: expect.stringMatching(/^SHA256:/),
      connection: { host: 'one.example.com', port: 2222, user: 'shipway' },
      host_keys: [hostKey],
      known_hosts: `[one.example.com]:2222 ${hostKey}\n`,
      folder: `.shipway/test/environments/${environmentId}`,
    })
    expect(key_id).toMatch(new RegExp(`^shipway:user=${viewer.id};serial=${serial};request=[0-9a-f-]{36}$`))
    expect(readSshCertificate(certificate)).toEqual({
      type: 'ssh-ed25519-cert-v01@openssh.com',
      key: Buffer.from(key.split(' ')[1] ?? '', 'base64').subarray(4 + 'ssh-ed25519'.length),
      serial: BigInt(serial),
      kind: 1,
      keyId: key_id,
      principals: rest.principals,
      validAfter: Date.parse(rest.valid_after) / 1000,
      validBefore: Date.parse(rest.valid_before) / 1000,
      criticalOptions: rest.critical_options,
      extensions: {},
      authority: Buffer.from(authorityKey.split(' ')[1] ?? '', 'base64'),
    })
    expect(await audit()).toMatchObject({
      action: 'ssh_certificate.issued',
      user_id: viewer.id,
      target_kind: 'ssh_certificate',
      target_id: Number(serial),
      target_name: `logs on ${server.name}`,
    })
  })

  test('one for a shell allows a terminal and nothing else, and names the folder of an environment', async () => {
    const { body } = await ask(admin, { purpose: 'shell' })
    expect(body).toMatchObject({ principals: [`${server.principal}-shell`], critical_options: {}, folder: null })
    expect(readSshCertificate(body.certificate)).toMatchObject({
      extensions: { 'permit-pty': '' },
      criticalOptions: {},
    })
    const inFolder = await ask(owner, { purpose: 'shell', environment_id: environmentId })
    expect(inFolder.body.folder).toBe(`.shipway/test/environments/${environmentId}`)
    expect(inFolder.body.principals).not.toContain(server.principal)
  })

  test.each([
    ['logs', undefined, 600],
    ['logs', 3600, 600],
    ['logs', 60, 120],
    ['shell', undefined, 360],
    ['shell', 30, 360],
    ['shell', 1800, 1860],
    ['shell', 3600, 3600],
  ])(
    'one for %s that should hold for %s seconds holds for %i, with the minute before',
    async (purpose, ttl, seconds) => {
      const { body } = await ask(admin, { purpose, environment_id: environmentId, ...(ttl && { ttl_seconds: ttl }) })
      expect((Date.parse(body.valid_before) - Date.parse(body.valid_after)) / 1000).toBe(seconds)
    },
  )

  test('a shell is for administrators; a request of another user is recorded', async () => {
    for (const caller of [viewer, member]) {
      expect(await ask(caller, { purpose: 'shell' })).toMatchObject({
        status: 403,
        body: { code: 'insufficient_role' },
      })
      expect(await audit()).toMatchObject({
        action: 'ssh_certificate.issue_refused',
        user_id: caller.id,
        target_id: server.id,
      })
    }
    for (const caller of [admin, owner]) expect((await ask(caller, { purpose: 'shell' })).status).toBe(201)
    for (const caller of [viewer, member, admin, owner]) expect((await ask(caller, logs())).status).toBe(201)
  })

  test('one for a command is for administrators, and in a protected environment for its owner alone', async () => {
    await buildTask(app.ctx, environmentId, { status: 'succeeded', server_id: server.id, finished_at: 1 })
    const command = { purpose: 'run', environment_id: environmentId, command: ['id'] }
    const protect = () =>
      app.ctx.db.updateTable('environments').set({ is_protected: 1 }).where('id', '=', environmentId).execute()
    expect(await ask(member, command)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    for (const caller of [admin, owner]) expect(await ask(caller, command)).toMatchObject({ status: 201 })
    await protect()
    expect(await ask(admin, command)).toMatchObject({ status: 403, body: { code: 'environment_protected' } })
    expect(await ask(owner, command)).toMatchObject({ status: 201 })
  })

  test('guests, strangers and tokens without the scope get none', async () => {
    const stranger = await buildUser(app.ctx, { is_platform_admin: 1 })
    await buildOrganization(app.ctx, [{ user: stranger, role: 'owner' }])
    const narrow = await buildUser(app.ctx, { scopes: ['read', 'deploy', 'vars:write', 'admin'] })
    expect((await app.call('POST', `/api/servers/${server.id}/ssh`, { body: {} })).status).toBe(401)
    expect(await ask(stranger, logs())).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await ask(narrow, logs())).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  })

  test('an environment of another organization is not found, and one on another server is named', async () => {
    const other = await buildOrganization(app.ctx)
    const [user] = await app.ctx.db.selectFrom('users').select('id').limit(1).execute()
    const foreign = await buildProject(app.ctx, { organizationId: other.id, ownerId: user?.id ?? 0 })
    const hidden = (await buildEnvironment(app.ctx, foreign)).id
    expect(await ask(admin, { environment_id: hidden })).toMatchObject({ status: 404 })
    const elsewhere = await environmentOn((await buildServer(app.ctx, organization.id)).id)
    const answer = await ask(admin, { environment_id: elsewhere })
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/environment_id', code: 'other_server' }] },
    })
    // One that has run here before it was moved has left its output here.
    await buildTask(app.ctx, elsewhere, { server_id: server.id, status: 'succeeded', started_at: 1, finished_at: 2 })
    expect(await ask(admin, { environment_id: elsewhere })).toMatchObject({ status: 201 })
    expect(await ask(admin, {})).toMatchObject({ status: 422, body: { errors: [{ pointer: '/environment_id' }] } })
  })

  test('serials go up one by one and never come twice', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(viewer, logs())))
    const serials = answers.map(({ body }) => Number(body.serial)).toSorted((one, other) => one - other)
    expect(serials).toEqual(serials.map((_, index) => (serials[0] ?? 0) + index))
  })

  test('a repeated request gets the same certificate, and a key is not good for another public key', async () => {
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') }
    const first = await ask(viewer, logs(), headers)
    expect((await ask(viewer, logs(), headers)).text).toBe(first.text)
    const another = await ask(viewer, { ...logs(), public_key: generateSshKey('').publicKey }, headers)
    expect(another).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
  })

  test('a repeated request gets nothing after its caller was taken out', async () => {
    const leaving = await buildUser(app.ctx)
    await app.ctx.db
      .insertInto('memberships')
      .values({ organization_id: organization.id, user_id: leaving.id, role: 'viewer', created_at: 1 })
      .execute()
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') }
    expect((await ask(leaving, logs(), headers)).status).toBe(201)
    await app.call('DELETE', `/api/organizations/${organization.id}/members/${leaving.id}`, { as: owner })
    expect((await ask(leaving, logs(), headers)).status).toBeGreaterThanOrEqual(404)
  })

  test('an id that the caller brings along stands in the audit log, and not in the certificate', async () => {
    const { body } = await ask(viewer, logs(), { 'x-request-id': 'chosen-by-me' })
    expect(body.key_id).not.toContain('chosen')
    expect(await audit()).toMatchObject({ request_id: 'chosen-by-me', target_id: Number(body.serial) })
  })

  test('a server that does not trust the authority is a conflict with what to do, and asked again each time', async () => {
    await app.ctx.db.deleteFrom('ssh_access').where('server_id', '=', server.id).execute()
    const answer = await ask(viewer, logs())
    expect(answer).toMatchObject({ status: 409, body: { code: 'ssh_not_set_up' } })
    expect(answer.body.detail).toContain(`--people '${authorityKey}'`)
    const unmet = await buildServer(app.ctx, organization.id, { signed_in_at: null })
    const of = { as: admin, body: { public_key: key, purpose: 'shell' } }
    expect(await app.call('POST', `/api/servers/${unmet.id}/ssh`, of)).toMatchObject({ status: 409 })
    const local = await buildServer(app.ctx, organization.id, { connection: 'local', edge: 'embedded' })
    const here = await app.call('POST', `/api/servers/${local.id}/ssh`, of)
    expect(here).toMatchObject({ status: 409, body: { code: 'ssh_not_set_up' } })
    expect(here.body.detail).toContain('own machine and has no ssh access')
  })

  test('a server that moved, or lost its host key, has to be seen again', async () => {
    for (const body of [{ hostname: 'two.example.com' }, { host_key: null }]) {
      await buildSshAccess(app.ctx, server)
      expect((await app.call('PATCH', `/api/servers/${server.id}`, { as: admin, body })).status).toBe(200)
      expect(await ask(viewer, logs())).toMatchObject({ status: 409, body: { code: 'ssh_not_set_up' } })
    }
  })

  test('two organizations have authorities of their own', async () => {
    const other = await buildOrganization(app.ctx)
    const theirs = await buildSshAccess(app.ctx, await buildServer(app.ctx, other.id))
    expect(theirs).not.toBe(authorityKey)
    const rows = await app.ctx.db.selectFrom('ssh_authorities').selectAll().execute()
    for (const { private_key_sealed } of rows) expect(private_key_sealed).toMatch(/^v1\./)
  })

  test('keys of the platform itself are refused', async () => {
    const project = await buildProject(
      app.ctx,
      { organizationId: organization.id, ownerId: owner.id },
      { repository_public_key: `${generateSshKey('').publicKey} shipway` },
    )
    const [type, bytes] = project.repository_public_key.split(' ')
    for (const ours of [authorityKey, app.ctx.access.ownKey, `${type} ${bytes}`])
      expect(await ask(admin, { ...logs(), public_key: ours })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/public_key', code: 'platform_key' }] },
      })
  })
})
