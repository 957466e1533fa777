// Supplying a certificate and looking at what a project has: what is in the answers, and the private key never.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildCertificate,
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { makeCertificate } from '../../../test/make-certificate.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const FROM = Date.parse('2026-01-01T00:00:00Z')
const DAY_MS = 86_400_000
const wildcard = makeCertificate({ names: ['*.app.example.com'], from: FROM })
const other = makeCertificate({ names: ['*.elsewhere.example.com'], from: FROM })

describe.each(databases)('certificates on $name', (source) => {
  const app = stageApp(source)
  let admin: TestUser
  let project: Awaited<ReturnType<typeof buildProject>>

  beforeEach(async () => {
    admin = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: admin, role: 'admin' }])
    const owned = { organizationId: organization.id, ownerId: admin.id }
    project = await buildProject(app.ctx, owned, { domain: 'app.example.com', tls: 'certificate' })
  })

  const url = () => `/api/projects/${project.id}/certificate`
  const supply = (certificate: string, privateKey: string) =>
    app.call('PUT', url(), { as: admin, body: { certificate, private_key: privateKey } })
  const faults = async (...words: Parameters<typeof supply>) => {
    const { status, body } = await supply(...words)
    return [status, body.errors?.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)]
  }

  test('a supplied certificate is described, sealed, and its key is never shown', async () => {
    const answer = await supply(wildcard.certificate, wildcard.privateKey)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        project_id: project.id,
        source: 'supplied',
        domain: null,
        names: ['*.app.example.com'],
        problems: [],
        issuer: 'Test, *.app.example.com',
        not_after: '2026-04-01T00:00:00.000Z',
        about_to_end: false,
        servers: [],
      },
    })
    const row = await app.ctx.db
      .selectFrom('certificates')
      .where('project_id', '=', project.id)
      .selectAll()
      .executeTakeFirstOrThrow()
    const shown = await app.call('GET', url(), { as: admin })
    expect(shown.body).toEqual(answer.body)
    const listed = await app.call('GET', `${url()}s`, { as: admin })
    expect(listed.body).toEqual([answer.body])
    const line = wildcard.privateKey.split('\n')[1] ?? ''
    const everything = [answer.text, shown.text, listed.text, JSON.stringify(row), ...app.logLines]
    for (const text of everything) expect(text).not.toContain(line)
    expect(row.private_key_sealed).toMatch(/^v1\./)
  })

  test('another one takes its place, under another key', async () => {
    const first = await supply(wildcard.certificate, wildcard.privateKey)
    const next = makeCertificate({ names: ['*.app.example.com', 'app.example.com'], from: FROM })
    const second = await supply(next.certificate, next.privateKey)
    expect(second).toMatchObject({
      status: 200,
      body: { id: first.body.id, names: ['*.app.example.com', 'app.example.com'] },
    })
  })

  test('it is taken back, and then there is none', async () => {
    expect(await app.call('DELETE', url(), { as: admin })).toMatchObject({ status: 404 })
    await supply(wildcard.certificate, wildcard.privateKey)
    expect(await app.call('DELETE', url(), { as: admin })).toMatchObject({ status: 204 })
    expect(await app.call('GET', url(), { as: admin })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  test('what was done is written down, without what was supplied', async () => {
    await supply(wildcard.certificate, wildcard.privateKey)
    await app.call('DELETE', url(), { as: admin })
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('target_id', '=', project.id)
      .where('target_kind', '=', 'project')
      .select(['action', 'fields'])
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { action: 'project.certificate_supplied', fields: '["certificate","private_key"]' },
      { action: 'project.certificate_deleted', fields: '["certificate","private_key"]' },
    ])
  })

  test('a key of another, one that has ended, and other names are refused, and what was there stays', async () => {
    const kept = await supply(wildcard.certificate, wildcard.privateKey)
    expect(await faults(wildcard.certificate, other.privateKey)).toEqual([422, ['/private_key other_private_key']])
    expect(await faults(other.certificate, other.privateKey)).toEqual([422, ['/certificate other_names']])
    const old = makeCertificate({ names: ['*.app.example.com'], from: FROM - 100 * DAY_MS })
    expect(await faults(old.certificate, old.privateKey)).toEqual([422, ['/certificate expired']])
    expect(await faults('x', 'y')).toEqual([
      422,
      ['/certificate invalid_certificate', '/private_key invalid_private_key'],
    ])
    expect(await faults('x'.repeat(65_537), 'y')).toEqual([422, ['/certificate too_long']])
    expect((await app.call('GET', url(), { as: admin })).body).toEqual(kept.body)
  })

  test('one that no environment could use says which would do', async () => {
    await buildEnvironment(app.ctx, project, { name: `main${project.id}` })
    const single = makeCertificate({ names: ['elsewhere.app.example.com'], from: FROM })
    const { body } = await supply(single.certificate, single.privateKey)
    expect(body.detail).toBe(
      'The certificate is for elsewhere.app.example.com, and no environment answers there. One for *.app.example.com would do',
    )
  })

  test('one that is about to end, and one that is not in use, say so', async () => {
    await buildCertificate(app.ctx, project.id, {
      not_before: app.ctx.clock() - 89 * DAY_MS,
      not_after: app.ctx.clock() + DAY_MS,
      names: '["*.app.example.com"]',
    })
    await app.ctx.db.updateTable('projects').set({ tls: 'off' }).where('id', '=', project.id).execute()
    expect((await app.call('GET', url(), { as: admin })).body).toMatchObject({
      about_to_end: true,
      problems: ["It is not in use: the project's tls is off, not certificate"],
    })
  })

  test('ordered ones are listed with why they failed and when they are tried again, page by page', async () => {
    await supply(wildcard.certificate, wildcard.privateKey)
    const order = { source: 'acme', domain: 'a.app.example.com', chain: null, private_key_sealed: null } as const
    const never = { issuer: null, not_before: null, not_after: null, names: '[]' }
    const later = app.ctx.clock() + 300_000
    const failed = { failures: 1, last_error: 'The name leads nowhere', next_attempt_at: later }
    await buildCertificate(app.ctx, project.id, { ...order, ...never, ...failed })
    const first = await app.call('GET', `${url()}s?limit=1`, { as: admin })
    expect(first.body).toMatchObject([
      {
        source: 'acme',
        domain: 'a.app.example.com',
        not_after: null,
        about_to_end: false,
        failures: 1,
        next_attempt_at: new Date(later).toISOString(),
        problems: expect.arrayContaining(['The name leads nowhere']),
      },
    ])
    expect(first.headers.link).toContain('rel="next"')
  })

  test('a member may look but not supply or take back', async () => {
    const member = await buildUser(app.ctx)
    await app.ctx.db
      .insertInto('memberships')
      .values({
        organization_id: project.organization_id,
        user_id: member.id,
        role: 'member',
        created_at: app.ctx.clock(),
      })
      .execute()
    await supply(wildcard.certificate, wildcard.privateKey)
    const body = { certificate: 'x', private_key: 'y' }
    expect(await app.call('PUT', url(), { as: member, body })).toMatchObject({ status: 403 })
    expect(await app.call('DELETE', url(), { as: member })).toMatchObject({ status: 403 })
    expect(await app.call('GET', url(), { as: member })).toMatchObject({ status: 200 })
  })
})
