// Nothing in a certificate is its caller's to choose: hostile requests, and many random ones.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { HOSTILE_FIELDS, HOSTILE_KEYS } from '../../../test/access/hostile-ssh-requests.ts'
import { readSshCertificate } from '../../../test/access/read-ssh-certificate.ts'
import { buildSshAccess } from '../../../test/access/ssh-access-records.ts'
import { buildEnvironment, buildProject, buildServer } from '../../../test/factories.ts'
import { oneDatabase } from '../../../test/one-database.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageMembers } from '../../../test/stage/stage-members.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'

const keys = Array.from({ length: 5 }, () => generateSshKey('').publicKey)
const [key = ''] = keys

describe.each(oneDatabase)('hostile requests for certificates on $name', (source) => {
  const app = stageApp(source, { apiRequestsPerMinute: 1_000_000 })
  const { admin, viewer, organization } = stageMembers(app, { admin: 'admin', viewer: 'viewer' })
  let server: Awaited<ReturnType<typeof buildServer>>
  let authorityKey: string
  let environments: readonly number[]

  beforeAll(async () => {
    server = await buildServer(app.ctx, organization.id, { host_key: generateSshKey('').publicKey })
    authorityKey = await buildSshAccess(app.ctx, server)
    const of = { organizationId: organization.id, ownerId: admin.id, serverId: server.id }
    const project = await buildProject(app.ctx, of)
    environments = [(await buildEnvironment(app.ctx, project)).id, (await buildEnvironment(app.ctx, project)).id]
  })
  const ask = (as: { token: string }, body: unknown, headers: Record<string, string> = {}) =>
    app.call('POST', `/api/servers/${server.id}/ssh`, { as, body, headers })
  const issued = async () =>
    Number((await app.ctx.db.selectFrom('ssh_authorities').select('last_serial').executeTakeFirstOrThrow()).last_serial)

  test.each(Object.entries(HOSTILE_KEYS))('a key is refused with a sentence: %s', async (_, publicKey) => {
    const before = await issued()
    const answer = await ask(admin, { public_key: publicKey, environment_id: environments[0] })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/public_key' }] } })
    expect(answer.body.detail).toMatch(/^(Give|Use|public_key must be) .+/)
    expect(await issued()).toBe(before)
  })

  test.each(HOSTILE_FIELDS)('a field is refused: %j', async (fields) => {
    // Written by hand, so that a name such as __proto__ arrives as one.
    const text = `${JSON.stringify({ public_key: key, environment_id: environments[0], ...fields }).slice(0, -1)},"__proto__":{}}`
    const isOwn = Object.hasOwn(fields, '__proto__')
    const body = isOwn ? text : { public_key: key, environment_id: environments[0], ...fields }
    const answer = await ask(viewer, body)
    expect([400, 422]).toContain(answer.status)
  })

  test('a key with a comment is certified without it', async () => {
    const { body } = await ask(viewer, { public_key: `${key} root@*  "; id`, environment_id: environments[0] })
    expect(body.certificate).not.toContain('root')
    expect(readSshCertificate(body.certificate).keyId).toBe(body.key_id)
  })

  test('random requests choose a purpose, an environment and a time within bounds, and nothing else', async () => {
    let certified = 0
    const property = fc.asyncProperty(requests, async ({ isAdmin, index, headers, ...wanted }) => {
      const now = Math.floor(app.ctx.clock() / 1000)
      const environmentId = index === undefined ? undefined : environments[index]
      const body = { ...wanted, ...(environmentId !== undefined && { environment_id: environmentId }) }
      const before = await issued()
      const answer = await ask(isAdmin ? admin : viewer, body, headers)
      if (answer.status !== 201) {
        expect([400, 403, 422]).toContain(answer.status)
        expect(await issued()).toBe(before)
        return
      }
      certified += 1
      const certificate = readSshCertificate(answer.body.certificate)
      const isShell = certificate.principals[0] === `${server.principal}-shell`
      expect(isShell && !isAdmin).toBe(false)
      const command = `sh .shipway/test/read-output.sh ${environmentId}`
      expect(certificate).toEqual({
        type: 'ssh-ed25519-cert-v01@openssh.com',
        key: Buffer.from(wanted.public_key.split(' ')[1] ?? '', 'base64').subarray(15),
        serial: BigInt(before + 1),
        kind: 1,
        keyId: expect.stringMatching(
          new RegExp(`^shipway:user=${isAdmin ? admin.id : viewer.id};serial=${before + 1};request=[0-9a-f-]{36}$`),
        ),
        principals: [`${server.principal}-${isShell ? 'shell' : 'logs'}`],
        validAfter: now - 60,
        validBefore: certificate.validBefore,
        criticalOptions: isShell ? {} : { 'force-command': command },
        extensions: isShell ? { 'permit-pty': '' } : {},
        authority: Buffer.from(authorityKey.split(' ')[1] ?? '', 'base64'),
      })
      const seconds = certificate.validBefore - certificate.validAfter
      expect(seconds).toBeGreaterThanOrEqual(isShell ? 300 : 90)
      expect(seconds).toBeLessThanOrEqual(isShell ? 3600 : 600)
    })
    const numRuns = Number(process.env.CERTIFICATES ?? 300)
    await fc.assert(property, { numRuns })
    expect(certified).toBeGreaterThan(numRuns / 10)
  }, 3_600_000)
})

const requests = fc
  .record(
    {
      isAdmin: fc.boolean(),
      index: fc.constantFrom(0, 1, undefined),
      public_key: fc.constantFrom(...keys),
      purpose: fc.oneof({ weight: 6, arbitrary: fc.constantFrom('logs', 'shell') }, fc.string()),
      ttl_seconds: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 30, max: 3600 }) }, fc.integer(), fc.double()),
      headers: fc.record(
        {
          'x-request-id': fc.stringMatching(/^[A-Za-z0-9._-]{8,64}$/),
          'user-agent': fc.stringMatching(/^[ -~]{0,80}$/),
        },
        { requiredKeys: [] },
      ),
      extra: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, fc.tuple(fc.string(), fc.jsonValue())),
    },
    { requiredKeys: ['isAdmin', 'public_key', 'index', 'headers'] },
  )
  .map(({ extra, ...rest }) => (extra ? { ...Object.fromEntries([extra]), ...rest } : rest))
