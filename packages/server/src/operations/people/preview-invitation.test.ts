// What an invitation link tells before it is accepted, and which links tell nothing.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const DAY_MS = 86_400_000

describe.each(databases)('previewing an invitation on $name', (source) => {
  const app = stageApp(source)
  let owner: TestUser
  let admin: TestUser
  let organization: { readonly id: number; readonly name: string }

  beforeAll(async () => {
    owner = await buildUser(app.ctx)
    admin = await buildUser(app.ctx, { name: 'Ada' })
    organization = await buildOrganization(app.ctx, [
      { user: owner, role: 'owner' },
      { user: admin, role: 'admin' },
    ])
  })
  // The windows of the limits for guessing and for mails to one address pass.
  beforeEach(() => app.moveClock(3_600_000))

  const invite = async (email: string, role = 'member') => {
    const path = `/api/organizations/${organization.id}/invitations`
    expect((await app.call('POST', path, { as: admin, body: { email, role } })).status).toBe(201)
    return /#token=(\S+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] ?? ''
  }
  const preview = (token: string, as?: TestUser) =>
    app.call('POST', '/api/invitations/preview', { as, body: { token } })

  test('a guest sees organization, inviter, role and address, and the link still works', async () => {
    const token = await invite('nia@example.com', 'viewer')
    const seen = await preview(token)
    expect(seen).toMatchObject({ status: 200 })
    expect(seen.body).toEqual({
      organization: organization.name,
      invited_by: 'Ada',
      role: 'viewer',
      email: 'nia@example.com',
      has_account: false,
      expires_at: expect.any(String),
    })
    expect(seen.text).not.toContain(token)
    const body = { token, name: 'Nia', password: 'violet anchor under a bridge' }
    expect(await app.call('POST', '/api/invitations/acceptance', { body })).toMatchObject({ status: 201 })
    expect(await preview(token)).toMatchObject({ status: 410, body: { code: 'link_expired' } })
  })

  test('it says whether the address has an account', async () => {
    await buildUser(app.ctx, { email: 'known@example.com' })
    expect((await preview(await invite('known@example.com'))).body.has_account).toBe(true)
  })

  test('a link that can no longer be accepted shows nothing', async () => {
    for (const token of ['x', 'shw_invite_', `shw_invite_${'0'.repeat(49)}`]) {
      expect(await preview(token)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    const late = await invite('late@example.com')
    app.moveClock(7 * DAY_MS)
    expect(await preview(late)).toMatchObject({ status: 410 })
    const ofDemoted = await invite('void@example.com', 'admin')
    const path = `/api/organizations/${organization.id}/members/${admin.id}`
    expect(await app.call('PATCH', path, { as: owner, body: { role: 'member' } })).toMatchObject({ status: 200 })
    expect(await preview(ofDemoted)).toMatchObject({ status: 410, body: { code: 'link_expired' } })
  })
})
