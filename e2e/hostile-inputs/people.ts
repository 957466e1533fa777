// Signing in, being invited, and changing anything with the cookie of a browser.
import { localPath } from '@shipway/api/values/local-path'
import { until } from '../journey.ts'
import { type Guarded, PASSWORD, type Reply } from './guarded.ts'
import { must } from './must.ts'
import { numbered, scenarios, table } from './table.ts'
import type { World } from './world.ts'

const hosts = numbered(
  'host-header',
  [1, 3, 4],
  ['evil.example', 'good.example:80@evil.example', 'good.example, evil.example'],
)

const addressesThatAreNone = numbered(
  'email',
  [2, 4, 8, 9, 10],
  ['"a\\r\\nX: y"@b.example', '<script>@b.example', '\uff41@b.example', 'a@b.example\0', `${'x'.repeat(65)}@b.example`],
)

/** Each with the one recipient. */
const addresses = numbered('email', [5, 6, 7], [
  ['a@xn--e28h.example', 'a@😀.example'],
  ['A@B.EXAMPLE', 'A@b.example'],
  ['a+tag@b.example', 'a+tag@b.example'],
] as const)

const wishes = numbered('oauth', [9, 10, 11], ['//evil.example', 'https:evil.example', '/\\evil.example'])

export const peopleTables = [
  ...table({
    surface: 'hosts of requests for a new password',
    rows: hosts,
    holds: async (world: World, host: string) => {
      const guarded = await world.guarded()
      const users = Object.values(guarded.users)
      const { email } = users[guarded.next() % users.length] ?? guarded.users.owner
      const before = guarded.mail.received.length
      const direct = await guarded.call('POST', '/api/password-resets', {
        as: null,
        body: { email },
        headers: { host },
      })
      must([400, 404, 421].includes(direct.status), direct.text)
      const forwarded = { 'x-forwarded-host': host, forwarded: `host="${host}"`, 'x-original-host': host }
      const sent = await guarded.call('POST', '/api/password-resets', { as: null, body: { email }, headers: forwarded })
      must(sent.status === 202, sent.text)
      const { mail, recipients } = await mailAfter(guarded, before)
      must(recipients.join() === email, recipients)
      must(mail.text?.includes(`http://localhost:${guarded.port}/password-reset#`) === true, mail.text)
      must(!/evil\.example|good\.example/.test(`${mail.text}${mail.html}`), mail.text)
    },
  }),
  ...table({
    surface: 'addresses of invitations',
    rows: addressesThatAreNone,
    holds: async (world: World, email: string) => {
      const guarded = await world.guarded()
      const before = guarded.mail.received.length
      const answer = await invite(guarded, email)
      must(answer.status === 422 && answer.body.errors[0].pointer === '/email', answer.text)
      must(guarded.mail.received.length === before, 'a mail')
    },
  }),
  ...table({
    surface: 'addresses of invitations',
    rows: addresses,
    holds: async (world: World, [email, to]) => {
      const guarded = await world.guarded()
      const before = guarded.mail.received.length
      const answer = await invite(guarded, email)
      must(answer.status === 201, answer.text)
      const { recipients, mail } = await mailAfter(guarded, before)
      must(recipients.join() === to, recipients)
      must(!mail.headers.some(({ key }) => ['x', 'bcc', 'cc'].includes(key)), mail.headers)
    },
  }),
  ...table({
    surface: 'names in mails',
    rows: numbered('email', [11], ['Click https://evil.example to accept']),
    holds: async (world: World, name: string) => {
      const guarded = await world.guarded()
      const path = `/api/organizations/${guarded.organizationId}`
      const { name: earlier } = (await guarded.call('GET', path)).body
      await guarded.call('PATCH', path, { body: { name } })
      try {
        const before = guarded.mail.received.length
        await invite(guarded, 'new@b.example')
        const { mail } = await mailAfter(guarded, before)
        must(!/evil\.example/.test(`${mail.subject}${mail.text}${mail.html}`), mail.text)
      } finally {
        await guarded.call('PATCH', path, { body: { name: earlier } })
      }
    },
  }),
  ...scenarios('roles', {
    'role-001': async (world) => mustForbidInvitation(await world.guarded(), 'member', 'owner'),
    'role-002': async (world) => mustForbidInvitation(await world.guarded(), 'member', 'admin'),
    'role-003': async (world) => mustForbidInvitation(await world.guarded(), 'admin', 'owner'),
    'role-005': async (world) => {
      const { call, organizationId, users } = await world.guarded()
      const answer = await call('GET', `/api/organizations/${organizationId}/invitations`, { as: users.member })
      must(answer.status === 403, answer.text)
    },
    'role-008': async (world) => {
      const { call, client, project, next, users } = await world.guarded()
      const body = { name: `kept-${next()}`, branch: 'main', protected: true }
      const { id } = await client.createEnvironment({ params: { id: project.id }, body })
      const answer = await call('DELETE', `/api/environments/${id}`, { as: users.member })
      must(answer.status === 403, answer.text)
      must((await call('GET', `/api/environments/${id}`)).status === 200, 'no environment')
    },
    'role-011': async (world) => {
      const { call, organizationId, project, users } = await world.guarded()
      const as = users.leaver
      must((await call('GET', `/api/projects/${project.id}`, { as })).status === 200, 'no access before')
      const removed = await call('DELETE', `/api/organizations/${organizationId}/members/${as.id}`)
      must(removed.status === 204, removed.text)
      for (const path of [`/api/projects/${project.id}`, `/api/organizations/${organizationId}`])
        must((await call('GET', path, { as })).status === 404, path)
    },
    'role-012': async (world) => {
      const guarded = await world.guarded()
      const { email } = guarded.users.stranger
      for (const other of [email.replace('@', '+tag@'), email.replace(/^u/, 'v')]) {
        const token = await invitationFor(guarded, other)
        const as = guarded.users.stranger
        const answer = await guarded.call('POST', '/api/invitations/acceptance', { as, body: { token } })
        must([401, 403, 404, 410].includes(answer.status), answer.text)
      }
    },
    'role-013': async (world) => {
      const guarded = await world.guarded()
      const token = await invitationFor(guarded, `once-${guarded.next()}@b.example`)
      const body = { token, name: 'Once', password: PASSWORD }
      const headers = guarded.fromOwnPage
      const first = await guarded.call('POST', '/api/invitations/acceptance', { as: null, body, headers })
      must(first.status === 201, first.text)
      const again = await guarded.call('POST', '/api/invitations/acceptance', { as: null, body, headers })
      must(again.status >= 400 && again.status < 500, again.text)
    },
    'role-014': async (world) => {
      const { call, fromOwnPage: headers, tokens } = await world.guarded()
      const body = { token: tokens.expiredInvitation, name: 'Late', password: PASSWORD }
      const answer = await call('POST', '/api/invitations/acceptance', { as: null, body, headers })
      must(answer.status === 410, answer.text)
    },
    'role-015': async (world) => {
      const { call, users } = await world.guarded()
      const answer = await call('PATCH', '/api/me', { as: users.member, body: { is_platform_admin: true } })
      must(answer.status === 422, answer.text)
      const { body } = await call('GET', '/api/me', { as: users.member })
      must(body.is_platform_admin === false, body)
    },
    'idor-cross-006': async (world) => {
      const guarded = await world.guarded()
      const token = await invitationFor(guarded, `other-${guarded.next()}@b.example`)
      const as = guarded.users.stranger
      const answer = await guarded.call('POST', '/api/invitations/acceptance', { as, body: { token } })
      must([401, 403, 404, 410].includes(answer.status), answer.text)
    },
  }),
  ...scenarios('changes with a cookie', {
    'csrf-001': async (world) => mustNotBeRead(await world.guarded(), '/api/invitations/acceptance'),
    'csrf-002': async (world) => {
      const guarded = await world.guarded()
      await mustNotBeRead(guarded, '/api/session')
      const { cookie } = guarded
      must((await guarded.call('GET', '/api/me', { as: null, headers: { cookie } })).status === 200, 'no session')
    },
    'csrf-004': async (world) => mustNotRename(await world.guarded(), { 'content-type': 'text/plain' }, true),
    'csrf-005': async (world) =>
      mustNotRename(await world.guarded(), { 'content-type': 'multipart/form-data; boundary=x' }, true),
    'csrf-006': async (world) => mustNotRename(await world.guarded(), { origin: 'null' }),
    'csrf-009': async (world) => mustNotRename(await world.guarded(), {}),
  }),
  ...scenarios('a platform that is set up', {
    'setup-002': async (world) => {
      const { call, fromOwnPage: headers } = await world.guarded()
      const body = { token: 'x', name: 'Eve', email: 'eve@b.example', password: PASSWORD, organization: 'Eve' }
      const answer = await call('POST', '/api/setup', { as: null, body, headers })
      must([403, 409, 410].includes(answer.status), answer.text)
    },
    'setup-005': async (world) => {
      const { call, fromOwnPage: headers } = await world.guarded()
      for (const password of ['admin', 'password', 'shipway', 'changeme']) {
        const body = { email: 'admin@example.com', password }
        const answer = await call('POST', '/api/session', { as: null, body, headers })
        must([401, 422, 429].includes(answer.status), answer.text)
      }
    },
  }),
  ...scenarios('signing in on a device', {
    'oauth-006': async (world) => {
      const { call, cookie } = await world.guarded()
      const statuses = []
      for (let count = 0; count < 6; count++)
        statuses.push((await call('GET', '/api/device-requests/ZZZZ-ZZZZ', { as: null, headers: { cookie } })).status)
      must(statuses.at(-1) === 429 && statuses.slice(0, 5).every((status) => [404, 429].includes(status)), statuses)
    },
    'oauth-007': async (world) => {
      const { call } = await world.guarded()
      const post = (path: string, fields: Record<string, string>) =>
        call('POST', path, {
          as: null,
          body: new URLSearchParams({ client_id: 'shipway-cli', ...fields }).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
      const device = await post('/oauth/device_authorization', {})
      const { device_code, user_code } = device.body
      must(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/.test(user_code), user_code)
      const errors = []
      for (let count = 0; count < 5; count++) {
        const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
        errors.push((await post('/oauth/token', { grant_type, device_code })).body.error)
      }
      must(errors.includes('slow_down') && !errors.includes(undefined), errors)
    },
  }),
  ...table({
    surface: 'where a sign-in leads',
    rows: wishes,
    holds: async (world: World, next: string) => {
      const { call } = await world.guarded()
      const page = await call('GET', `/sign-in?next=${encodeURIComponent(next)}`, {
        as: null,
        headers: { accept: 'text/html' },
      })
      must(page.headers.location === undefined && !page.text.includes('evil'), page.text)
      // What the page makes of it.
      for (const own of ['https://ship.example.com', 'http://ship.example.com'])
        must(new URL(localPath(next), own).origin === own, localPath(next))
    },
  }),
]

/** They use up the tries of this machine, so they come last. */
export const guessTables = [
  ...table({
    surface: 'guesses of a password',
    rows: numbered('rate-xff', [5, 7], ['::1', 'unknown']),
    holds: async (world: World, from: string) => {
      const { call, fromOwnPage, users } = await world.guarded()
      const statuses: number[] = []
      for (let count = 0; count < 60 && statuses.at(-1) !== 429; count++) {
        const headers = { ...fromOwnPage, 'x-forwarded-for': `${from}, 192.0.2.${count}`, forwarded: `for="${from}"` }
        const body = { email: users.viewer.email, password: `wrong guess ${count}` }
        statuses.push((await call('POST', '/api/session', { as: null, body, headers, from: '127.0.0.1' })).status)
      }
      must(statuses.at(-1) === 429, statuses)
    },
  }),
]

const invite = ({ call, organizationId }: Guarded, email: string, role = 'viewer'): Promise<Reply> =>
  call('POST', `/api/organizations/${organizationId}/invitations`, { body: { email, role } })

const mailAfter = ({ mail }: Guarded, before: number) => until(async () => mail.received[before], 'a mail arrives', 30)

/** The token of the link. */
async function invitationFor(guarded: Guarded, email: string): Promise<string> {
  const before = guarded.mail.received.length
  must((await invite(guarded, email)).status === 201, email)
  const { mail } = await mailAfter(guarded, before)
  return /#token=(shw_invite_\w+)/.exec(mail.text ?? '')?.[1] ?? ''
}

async function mustForbidInvitation(guarded: Guarded, who: 'member' | 'admin', role: string): Promise<void> {
  const { call, organizationId, users, mail } = guarded
  const before = mail.received.length
  const body = { email: `invited-${guarded.next()}@b.example`, role }
  const answer = await call('POST', `/api/organizations/${organizationId}/invitations`, { as: users[who], body })
  must(answer.status === 403, answer.text)
  must(mail.received.length === before, 'a mail')
}

async function mustNotBeRead({ call, cookie }: Guarded, path: string): Promise<void> {
  for (const method of ['GET', 'HEAD']) {
    const { status } = await call(method, path, { as: null, headers: { cookie } })
    must([403, 404, 405].includes(status), { method, status })
  }
}

/** With the cookie of a user who is signed in; from our own page where that alone is not to let it through. */
async function mustNotRename(guarded: Guarded, headers: Record<string, string>, isOwnPage = false): Promise<void> {
  const { call, cookie, fromOwnPage } = guarded
  const all = { cookie, ...(isOwnPage && fromOwnPage), ...headers }
  const answer = await call('PATCH', '/api/me', { as: null, body: '{"name": "Renamed"}', headers: all })
  must([403, 415].includes(answer.status), answer.text)
  const { body } = await call('GET', '/api/me')
  must(body.name !== 'Renamed', body)
}
