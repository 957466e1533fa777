// Hostile inputs on their whole way, from a request to what a mail program shows: hosts that requests name, people who try out who has an
// account, and names that would like to be headers, markup or links.
import type { Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildUser, type TestUser } from '../../../test/factories.ts'
import { type MailServer, startMailServer } from '../../../test/mail/mail-server.ts'
import { byTurns } from '../../../test/stage/by-turns.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { createMailer } from '../../mail/mailer.ts'

const HOUR = 3_600_000
const BASE = 'https://ship.example.com'

const POISONED = [
  'Click https://evil.example to accept',
  'Anna\r\nBcc: eve@evil.example',
  'Anna\nSubject: Urgent\n\nanother body',
  '=?utf-8?Q?Anna=0D=0ABcc:_eve@evil.example?=',
  '<script>fetch("//evil.example")</script>',
  '<img src=x onerror=alert(1)>',
  '"><a href="https://evil.example">x</a>',
  '<!--<img src=--><img src=x onerror=alert(1)//>',
  '</title></head><style>@import url(//evil.example)</style>',
  '[x](javascript:alert(1))',
  'javascript:alert(1)',
  'mailto:eve@evil.example',
  'evil。example',
  'ship.example.com.evil.example',
  '\u202e\u2066elpmaxe.live',
  'ev\u200bil.example',
  '${7*7} {{7*7}} <%= 7*7 %>',
  'x\u0000y',
]

describe.each(databases)('hostile inputs in mails on $name', (source) => {
  let server: MailServer
  let app: TestApp
  let earlier = 0

  beforeAll(async () => {
    server = await startMailServer()
    const settings = { baseUrl: BASE, smtpUrl: server.url, mailFrom: 'Shipway <shipway@example.com>' }
    app = await openTestApp(source, settings, { mail: createMailer(settings) })
  })
  // The windows of all limits pass.
  beforeEach(() => {
    app.moveClock(25 * HOUR)
    earlier = server.received.length
  })
  afterAll(async () => {
    await app.close()
    await server.close()
  })

  const arrived = () => server.received.slice(earlier)
  const ask = async (email: string, headers: Record<string, string> = {}) => {
    const answer = await app.call('POST', '/api/password-resets', { body: { email }, headers })
    await app.finished()
    return answer
  }
  /** Where a reader could be led, whichever part the program shows. */
  const addressesIn = ({ text = '', html = '' }: Email) =>
    new Set([...`${text} ${html}`.matchAll(/(?:https?|javascript|mailto|ftp):[^\s"<]+/gi)].map(([address]) => address))

  function expectHarmless(mail: Email | undefined, recipients: readonly string[] | undefined, to: string): void {
    if (!mail) throw new Error('No mail arrived')
    expect(recipients).toEqual([to])
    expect(mail.headers.map(({ key }) => key).toSorted()).toEqual([
      ...['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
    ])
    for (const address of addressesIn(mail)) expect(address).toMatch(/^https:\/\/ship\.example\.com(\/|\.?$)/)
    const tags = new Set([...(mail.html ?? '').matchAll(/<\/?([a-z!]+)/gi)].map(([, tag]) => tag))
    for (const tag of tags)
      expect(['!doctype', 'html', 'head', 'meta', 'title', 'body', 'div', 'p', 'a', 'b', 'br']).toContain(tag)
    expect(mail.html?.match(/<a /g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(`${mail.text}${mail.html}`).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]|evil\.example|evil。example/)
  }

  test.each([
    ['evil.example', 421],
    ['good.example:80@evil.example', 421],
    ['good.example, evil.example', 421],
    ['ship.example.com:80@evil.example', 421],
    ['ship.example.com.evil.example', 421],
  ])('the host %j is refused, and no mail goes out', async (host, status) => {
    const user = await buildUser(app.ctx)
    expect((await ask(user.email, { host })).status).toBe(status)
    expect(arrived()).toEqual([])
  })

  test.each(['evil.example', 'good.example:80@evil.example', 'good.example, evil.example'])(
    'forwarded as %j, the link stays on the base address',
    async (host) => {
      const user = await buildUser(app.ctx)
      const headers = { 'x-forwarded-host': host, forwarded: `host="${host}"`, 'x-original-host': host, 'x-host': host }
      expect((await ask(user.email, headers)).status).toBe(202)
      const [one] = arrived()
      expectHarmless(one?.mail, one?.recipients, user.email)
      expect(one?.mail.text).toMatch(/^https:\/\/ship\.example\.com\/password-reset#token=shw_reset_\w{49}\r?$/m)
    },
  )

  test('no response reveals who has an account, and only accounts get mail', async () => {
    const user = await buildUser(app.ctx)
    const answers = [await ask(user.email), await ask('nobody@b.example'), await ask(`x${user.email}`)]
    const shown = answers.map(({ status, text, headers }) => ({ status, text, names: Object.keys(headers).toSorted() }))
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(arrived().flatMap(({ recipients }) => recipients)).toEqual([user.email])
  })

  test('nor does it show when one has asked too often', async () => {
    const user = await buildUser(app.ctx)
    const seen = new Set<string>()
    for (const email of [user.email, 'nobody-at-all@b.example']) {
      for (let count = 0; count < 6; count++) {
        app.moveClock(61_000)
        const { status, text } = await ask(email)
        seen.add(`${count} ${status} ${text}`)
      }
    }
    expect(seen.size).toBe(6)
    expect(arrived()).toHaveLength(3)
  })

  test.each([
    '"a\\r\\nX: y"@b.example',
    '<script>@b.example',
    '\uff41@b.example',
    'a@b.example\0',
    `${'x'.repeat(65)}@b.example`,
    'Click https://evil.example to accept (as organisation name)',
  ])('%j is no address to invite', async (email) => {
    const { owner, organizationId } = await buildHouse('Acme')
    const answer = await invite(owner, organizationId, email)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/email' }] } })
    expect(arrived()).toEqual([])
  })

  test.each([
    // Said in ASCII, and read by the server as what it means.
    ['a@xn--e28h.example', 'a@😀.example'],
    ['A@B.EXAMPLE', 'A@b.example'],
    ['a+tag@b.example', 'a+tag@b.example'],
  ])('an invitation to %j goes to %j alone', async (email, to) => {
    const { owner, organizationId } = await buildHouse('Acme')
    expect((await invite(owner, organizationId, email)).status).toBe(201)
    const [one] = arrived()
    expectHarmless(one?.mail, one?.recipients, to)
  })

  // Each in one of the mails on the embedded database, and in the other on PostgreSQL.
  const poisoned = (from: number) => byTurns(source, POISONED, from)

  test.each(poisoned(0))('the name %j of the inviting user and of the organization is text', async (name) => {
    // Past the rules for names too, as an earlier release may have stored it. The database takes no NUL.
    const stored = source.name === 'postgres' ? name.replaceAll('\0', '') : name
    const { owner, organizationId } = await buildHouse(stored)
    await app.ctx.db.updateTable('users').set({ name: stored }).where('id', '=', owner.id).execute()
    expect((await invite(owner, organizationId, 'new@b.example')).status).toBe(201)
    const [one] = arrived()
    expectHarmless(one?.mail, one?.recipients, 'new@b.example')
    expect(one?.mail.subject).toBe('Invitation to an organization on Shipway')
  })

  test.each(poisoned(1))('the environment name %j is text in the mail about its owner', async (name) => {
    const stored = source.name === 'postgres' ? name.replaceAll('\0', '') : name
    const { owner, organizationId } = await buildHouse('Acme')
    const newOwner = await buildUser(app.ctx)
    const member = { organization_id: organizationId, user_id: newOwner.id, role: 'member', created_at: 1 } as const
    await app.ctx.db.insertInto('memberships').values(member).execute()
    const project = await buildProject(app.ctx, { organizationId, ownerId: owner.id })
    const { id } = await buildEnvironment(app.ctx, project)
    await app.ctx.db.updateTable('environments').set({ name: stored }).where('id', '=', id).execute()
    const body = { owner_id: newOwner.id }
    expect((await app.call('PATCH', `/api/environments/${id}`, { as: owner, body })).status).toBe(200)
    expect(arrived()).toHaveLength(2)
    for (const { mail, recipients } of arrived()) expectHarmless(mail, recipients, recipients[0] ?? '')
  })

  async function buildHouse(name: string): Promise<{ owner: TestUser; organizationId: number }> {
    const owner = await buildUser(app.ctx)
    const { id: organizationId } = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    await app.ctx.db.updateTable('organizations').set({ name }).where('id', '=', organizationId).execute()
    return { owner, organizationId }
  }
  function invite(owner: TestUser, organizationId: number, email: string) {
    const body = { email, role: 'viewer' }
    return app.call('POST', `/api/organizations/${organizationId}/invitations`, { as: owner, body })
  }
})
