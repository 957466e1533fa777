// Inviting: who may invite as what, to which addresses, and where the link goes.
import { ROLES, type Role } from '@shipway/api/people'
import { SCOPES } from '@shipway/api/route'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { createMailer } from '../../mail/mailer.ts'
import { sendDueMails } from '../mails/send-due-mails.ts'
import { createInvitation } from './create-invitation.ts'

describe.each(databases)('invitations on $name', (source) => {
  const app = stageApp(source)
  const users = new Map<Role, TestUser>()
  let organizationId: number

  beforeAll(async () => {
    for (const role of ROLES) users.set(role, await buildUser(app.ctx))
    organizationId = await buildHouse()
  })

  const buildHouse = async () =>
    (
      await buildOrganization(
        app.ctx,
        [...users].map(([role, user]) => ({ user, role })),
      )
    ).id
  const invite = (as: Role, body: unknown, id = organizationId) =>
    app.call('POST', `/api/organizations/${id}/invitations`, { as: users.get(as), body })
  const rowsOf = (id: number) =>
    app.ctx.db.selectFrom('invitations').where('organization_id', '=', id).selectAll().execute()
  const lastToken = () => /#token=(\S+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] ?? ''
  const actorOf = (role: Role): Actor => ({
    userId: users.get(role)?.id ?? 0,
    name: 'Somebody',
    isPlatformAdmin: false,
    roles: new Map([[organizationId, role]]),
    scopes: new Set(SCOPES),
    credential: { kind: 'session', id: 1, expiresAt: 0 },
    origin: { address: '127.0.0.1', requestId: 'test' },
  })

  test('the link goes by mail, to that address alone, and is in no answer and no row', async () => {
    const count = app.mails.length
    const answer = await invite('admin', { email: 'New@Example.COM', role: 'member' })
    const admin = users.get('admin')
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      email: 'New@example.com',
      role: 'member',
      invited_by: { id: admin?.id, name: admin?.name },
      created_at: '2026-01-02T03:04:05.678Z',
      expires_at: '2026-01-09T03:04:05.678Z',
      is_void: false,
      url: null,
    })
    expect(app.mails.slice(count)).toMatchObject([{ to: 'New@example.com' }])
    expect(app.mails.at(-1)?.text).toMatch(/^https:\/\/ship\.example\.com\/invitation#token=shw_invite_\w{49}$/m)
    const list = await app.call('GET', `/api/organizations/${organizationId}/invitations`, { as: admin })
    const { url: _, ...invitation } = answer.body
    expect(list.body).toEqual([invitation])
    const stored = JSON.stringify(await rowsOf(organizationId))
    const token = lastToken()
    expect(token).toMatch(/^shw_invite_/)
    for (const text of [answer.text, list.text, stored, app.logLines.join()]) expect(text).not.toContain(token)
  })

  const table = ROLES.flatMap((own) => ROLES.map((role) => ({ own, role })))
  test.each(table)('as $own, inviting a $role', async ({ own, role }) => {
    const email = `${own}-${role}@example.com`
    const isAllowed = own === 'owner' || (own === 'admin' && role !== 'owner')
    const id = await buildHouse()
    const count = app.mails.length
    const answer = await invite(own, { email, role }, id)
    if (isAllowed) expect(answer).toMatchObject({ status: 201, body: { role } })
    else expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect(await rowsOf(id)).toHaveLength(isAllowed ? 1 : 0)
    expect(app.mails.length - count).toBe(isAllowed ? 1 : 0)
    const events = await app.ctx.db.selectFrom('audit_events').where('organization_id', '=', id).selectAll().execute()
    const action = isAllowed ? 'invitation.created' : 'invitation.creation_refused'
    expect(events).toMatchObject([{ action, target_name: email, user_id: users.get(own)?.id }])
  })

  test.each(['viewer', 'member'] as const)('a %s neither reads nor withdraws invitations', async (role) => {
    const id = await buildHouse()
    const email = `for-${role}@example.com`
    const { body } = await invite('admin', { email, role: 'admin' }, id)
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', `/${body.id}`],
    ] as const) {
      const url = `/api/organizations/${id}/invitations${rest}`
      const answer = await app.call(method, url, { as: users.get(role) })
      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
      expect(answer.text).not.toContain(email)
    }
    expect(await rowsOf(id)).toHaveLength(1)
    const log = await app.call('GET', `/api/organizations/${id}/audit`, { as: users.get('owner') })
    expect(log.body.map(({ action }: { action: string }) => action)).toEqual([
      'invitation.deletion_refused',
      'invitation.list_refused',
      'invitation.created',
    ])
  })

  test.each([
    '"a\\r\\nX: y"@b.example',
    'a@b.example\r\nBcc: c@d.example',
    '<script>@b.example',
    '\uff41@b.example',
    'a@b.example\0',
    `${'x'.repeat(65)}@b.example`,
    'a@b.example, c@d.example',
    'Anna <a@b.example>',
    '-oProxyCommand=x@b.example',
    '',
    null,
    ['a@b.example'],
  ])('the address %j is refused, and nothing is sent', async (email) => {
    const count = app.mails.length
    const answer = await invite('owner', { email, role: 'viewer' })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/email' }] } })
    expect(app.mails).toHaveLength(count)
  })

  test.each([
    ['a@xn--e28h.example', 'a@xn--e28h.example'],
    ['A@B.EXAMPLE', 'A@b.example'],
    ['a+tag@b.example', 'a+tag@b.example'],
  ])('the address %j is one recipient, %j', async (email, kept) => {
    const id = await buildHouse()
    const answer = await invite('owner', { email, role: 'viewer' }, id)
    expect(answer).toMatchObject({ status: 201, body: { email: kept } })
    expect(app.mails.at(-1)?.to).toBe(kept)
  })

  test('an organization named like a link sends no such link', async () => {
    const id = await buildHouse()
    const name = 'Click https://evil.example to accept'
    await app.call('PATCH', `/api/organizations/${id}`, { as: users.get('owner'), body: { name } })
    await invite('owner', { email: 'x@example.com', role: 'viewer' }, id)
    expect(app.mails.at(-1)?.text).not.toContain('https://evil')
    expect(app.mails.at(-1)?.subject).not.toContain('evil')
  })

  test('a member is not invited again, however the address is written', async () => {
    const email = users.get('viewer')?.email.toUpperCase()
    const answer = await invite('owner', { email, role: 'admin' })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/email', code: 'already_member' }] } })
  })

  test.each([{ is_platform_admin: true }, { invited_by: 1 }, { token: 'x' }])('%j is no field of it', async (more) => {
    const answer = await invite('owner', { email: 'x@example.com', role: 'viewer', ...more })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ code: 'unknown_field' }] } })
  })

  test('a second invitation to an address replaces the first', async () => {
    const id = await buildHouse()
    await invite('admin', { email: 'twice@example.com', role: 'viewer' }, id)
    const first = lastToken()
    const second = await invite('admin', { email: 'TWICE@example.com', role: 'member' }, id)
    expect(await rowsOf(id)).toMatchObject([{ id: second.body.id, role: 'member' }])
    expect(lastToken()).not.toBe(first)
    const accept = (token: string) => app.call('POST', '/api/invitations/acceptance', { body: { token } })
    expect(await accept(first)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await accept(lastToken())).toMatchObject({ status: 422 })
  })

  test('an admin neither replaces nor withdraws the invitation of an owner', async () => {
    const id = await buildHouse()
    const { body } = await invite('owner', { email: 'boss@example.com', role: 'owner' }, id)
    expect((await invite('admin', { email: 'boss@example.com', role: 'viewer' }, id)).status).toBe(403)
    const url = `/api/organizations/${id}/invitations/${body.id}`
    expect((await app.call('DELETE', url, { as: users.get('admin') })).status).toBe(403)
    expect(await rowsOf(id)).toMatchObject([{ id: body.id, role: 'owner' }])
    expect((await app.call('DELETE', url, { as: users.get('owner') })).status).toBe(204)
  })

  test('a withdrawn invitation is gone with its link; one of another organization is not found', async () => {
    const id = await buildHouse()
    const { body } = await invite('admin', { email: 'gone@example.com', role: 'viewer' }, id)
    const token = lastToken()
    const elsewhere = `/api/organizations/${organizationId}/invitations/${body.id}`
    expect((await app.call('DELETE', elsewhere, { as: users.get('owner') })).status).toBe(404)
    const url = `/api/organizations/${id}/invitations/${body.id}`
    expect(await app.call('DELETE', url, { as: users.get('admin') })).toMatchObject({ status: 204, text: '' })
    expect((await app.call('DELETE', url, { as: users.get('admin') })).status).toBe(404)
    expect((await app.call('POST', '/api/invitations/acceptance', { body: { token } })).status).toBe(404)
  })

  test('invitations at once to one address leave one link', async () => {
    const id = await buildHouse()
    const body = { email: 'race@example.com', role: 'viewer' }
    const answers = await Promise.all([invite('owner', body, id), invite('admin', body, id), invite('owner', body, id)])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await rowsOf(id)).toHaveLength(1)
  })

  test('there are at most 100 open invitations; expired ones do not count and are not listed', async () => {
    const id = await buildHouse()
    const row = (number: number, expires_at: number) => ({
      organization_id: id,
      email: `many${number}@example.com`,
      email_key: `many${number}@example.com`,
      role: 'viewer' as const,
      token_digest: `${id}:${number}`,
      invited_by: users.get('owner')?.id ?? 0,
      created_at: app.ctx.clock(),
      expires_at,
    })
    const open = Array.from({ length: 99 }, (_, number) => row(number, app.ctx.clock() + 1))
    await app.ctx.db
      .insertInto('invitations')
      .values([...open, row(99, app.ctx.clock())])
      .execute()
    expect((await invite('owner', { email: 'last@example.com', role: 'viewer' }, id)).status).toBe(201)
    const refused = await invite('owner', { email: 'more@example.com', role: 'viewer' }, id)
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: 'too_many_invitations' }] } })
    expect((await invite('owner', { email: 'last@example.com', role: 'member' }, id)).status).toBe(201)
    const list = await app.call('GET', `/api/organizations/${id}/invitations?limit=200`, { as: users.get('admin') })
    expect(list.body).toHaveLength(100)
    expect(list.text).not.toContain('many99@')
  })

  test('without mail the link is in the answer', async () => {
    const ctx = {
      ...app.ctx,
      mail: createMailer({ smtpUrl: undefined, mailFrom: 'x', baseUrl: app.ctx.config.baseUrl }),
    }
    const wanted = { organizationId, email: 'handed@example.com', role: 'viewer' as const }
    const { invitation, url } = await createInvitation(ctx, actorOf('owner'), wanted)
    expect(url?.reveal()).toMatch(/^https:\/\/ship\.example\.com\/invitation#token=shw_invite_\w{49}$/)
    expect(await rowsOf(organizationId)).toContainEqual(expect.objectContaining({ id: invitation.id }))
  })

  test('a mail server that fails loses neither the invitation nor its mail, and the link is not shown', async () => {
    const mail = createMailer({ ...app.ctx.config, smtpUrl: 'smtp://127.0.0.1:1' })
    const wanted = { organizationId, email: 'lost@example.com', role: 'viewer' as const }
    const { invitation, url } = await createInvitation({ ...app.ctx, mail }, actorOf('owner'), wanted)
    expect(url).toBeNull()
    const never = new AbortController().signal
    await sendDueMails({ ...app.ctx, mail }, { signal: never, cut: never })
    expect(await rowsOf(organizationId)).toContainEqual(expect.objectContaining({ id: invitation.id }))
    expect(app.logLines.at(-1)).toContain('could not send a mail; retrying later')
    const waiting = app.ctx.db.selectFrom('mails').select(['kind', 'attempts', 'last_error'])
    expect(await waiting.execute()).toEqual([
      { kind: 'invitation', attempts: 1, last_error: expect.stringContaining('ECONNREFUSED') },
    ])
    await app.ctx.db.updateTable('mails').set({ next_at: 0 }).execute()
    await sendDueMails(app.ctx, { signal: never, cut: never })
    expect(app.mails.at(-1)?.to).toBe('lost@example.com')
    expect(await waiting.execute()).toEqual([])
    expect(app.logLines.join()).not.toContain(lastToken())
  })
})
