// The GitHub of the tests behaves as its documentation says.
import { sign } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GitHub, startGitHub } from './github.ts'
import type { GitHubApp } from './records.ts'

let github: GitHub
let app: GitHubApp
beforeAll(async () => {
  github = await startGitHub()
  app = github.addApp({ manifest: { url: 'https://ship.example.com', default_permissions: { contents: 'read' } } })
})
afterAll(() => github.stop())

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function jwtOf({ pem, id }: GitHubApp, { iat = -60, exp = 540 } = {}): string {
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: now + iat, exp: now + exp, iss: `${id}` })}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), pem).toString('base64url')}`
}

const call = (path: string, token: string, method = 'GET') =>
  fetch(`${github.plainBase}/api/v3${path}`, { method, headers: { authorization: `Bearer ${token}` } })

test('a JWT is refused with wrong times, and with the key of another App', async () => {
  const other = github.addApp({ manifest: { url: 'https://else.example.com' }, name: 'other' })
  const tokens = [jwtOf(app), jwtOf(app, { exp: 700 }), jwtOf(app, { exp: -1 }), jwtOf({ ...app, pem: other.pem })]
  const statuses = await Promise.all(tokens.map(async (token) => (await call('/app', token)).status))
  expect(statuses).toEqual([200, 401, 401, 401])
})

test('a code is converted once', async () => {
  const code = github.addCode(app)
  const convert = () => call(`/app-manifests/${code}/conversions`, '', 'POST')
  const first = await convert()
  expect([first.status, await first.json()]).toEqual([201, expect.objectContaining({ id: app.id, pem: app.pem })])
  expect((await convert()).status).toBe(404)
})

test.each([
  [['issue_comment'], 'Default events are not supported by permissions: issue_comment'],
  [['installation'], 'Default events unsupported: installation'],
])('a manifest with the events %j is refused', async (events, sentence) => {
  const manifest = { url: 'https://x.test', default_permissions: { pull_requests: 'write' }, default_events: events }
  const body = new URLSearchParams({ manifest: JSON.stringify(manifest) })
  const answer = await fetch(`${github.plainBase}/settings/apps/new?state=x`, { method: 'POST', body })
  expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(sentence)])
})

test('a list of open pull requests adds nothing to the states that pages are opened with', async () => {
  await call('/repos/acme/shop/pulls?state=open', jwtOf(app))
  await fetch(`${github.plainBase}/settings/apps/new?state=of-a-page`)
  expect(github.states.has('open')).toBe(false)
  expect(github.states.has('of-a-page')).toBe(true)
})
