// The mailbox of a platform that sends no mail: for its administrators alone, and only if no other machine can reach the platform.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildSession, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { openTestApp } from '../../../test/test-app.ts'
import { createMailer } from '../../mail/mailer.ts'
import { forgetMails } from './forget-mails.ts'

const local = { baseUrl: 'http://localhost:7878', mailFrom: 'x@example.com', smtpUrl: undefined }

describe.each(databases)('the mailbox on $name', (source) => {
  const app = stageApp(source, {}, { mail: createMailer(local) })
  let admin: TestUser
  let organizationId: number

  beforeAll(async () => {
    admin = await buildUser(app.ctx, { is_platform_admin: 1 })
    organizationId = (await buildOrganization(app.ctx, [{ user: admin, role: 'owner' }])).id
  })

  const read = async (user: TestUser) =>
    app.call('GET', '/api/platform/mails', { headers: await buildSession(app.ctx, user.id) })
  const rows = () => app.ctx.db.selectFrom('mails').selectAll().execute()

  test('what would have been sent is there, newest first, and sealed where it is kept', async () => {
    const user = await buildUser(app.ctx)
    await app.call('POST', '/api/password-resets', { body: { email: user.email } })
    await app.finished()
    const body = { email: 'new@example.com', role: 'viewer' }
    const invited = await app.call('POST', `/api/organizations/${organizationId}/invitations`, { as: admin, body })
    const answer = await read(admin)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject([
      { kind: 'invitation', to: 'new@example.com', text: expect.stringContaining(invited.body.url) },
      {
        kind: 'password_reset',
        to: user.email,
        text: expect.stringMatching(/^https:\/\/ship\.example\.com\/.*#token=shw_/m),
      },
    ])
    expect(JSON.stringify(await rows())).not.toMatch(/shw_|@example/)
    const [, token] = /#token=(\S+)/.exec(answer.body[1].text) ?? []
    const redemption = { token, password: 'nine orange tricycles' }
    expect((await app.call('POST', '/api/password-resets/redemption', { body: redemption })).status).toBe(204)
  })

  test('only platform administrators read it, and no token does', async () => {
    expect((await read(await buildUser(app.ctx))).status).toBe(403)
    expect((await app.call('GET', '/api/platform/mails')).status).toBe(401)
    const byToken = await app.call('GET', '/api/platform/mails', { as: admin })
    expect(byToken).toMatchObject({ status: 403, body: { code: 'session_required' } })
  })

  test('it holds the last hundred', async () => {
    for (let count = 0; count < 103; count++) {
      const body = { email: `many${count}@example.com`, role: 'viewer' }
      const { body: kept } = await app.call('POST', `/api/organizations/${organizationId}/invitations`, {
        as: admin,
        body,
      })
      if (kept.id)
        await app.call('DELETE', `/api/organizations/${organizationId}/invitations/${kept.id}`, { as: admin })
    }
    const { body } = await read(admin)
    expect([body.length, body[0].to, (await rows()).length]).toEqual([100, 'many102@example.com', 100])
  })

  test('it is empty once a mail server is set up, and what was in it is never sent', async () => {
    const ctx = { ...app.ctx, mail: createMailer({ ...local, smtpUrl: 'smtp://127.0.0.1:1' }) }
    await forgetMails(ctx)
    expect(await rows()).toEqual([])
  })

  test.each([
    ['a mail server', { ...local, smtpUrl: 'smtp://127.0.0.1:1' }],
    ['an address that others reach', { ...local, baseUrl: 'https://ship.example.com' }],
  ])('with %s there is no mailbox, and nothing is kept', async (_why, mailSettings) => {
    const other = await openTestApp(source, {}, { mail: createMailer(mailSettings) })
    const boss = await buildUser(other.ctx, { is_platform_admin: 1 })
    await other.call('POST', '/api/password-resets', { body: { email: boss.email } })
    await other.finished()
    const headers = await buildSession(other.ctx, boss.id)
    expect((await other.call('GET', '/api/platform/mails', { headers })).status).toBe(404)
    expect(await other.ctx.db.selectFrom('mails').where('is_kept', '=', 1).selectAll().execute()).toEqual([])
    await other.close()
  })
})
