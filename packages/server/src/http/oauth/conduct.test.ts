import { afterEach, beforeEach, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { postForm, startDevice } from '../../../test/device-flow.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'

let app: TestApp
beforeEach(async () => {
  const [embedded] = databases
  if (!embedded) throw new Error('There is always the embedded database')
  app = await openTestApp(embedded)
})
afterEach(() => app.close())

test('metadata names the endpoints that are served, and none of OpenID', async () => {
  const { body } = await app.call('GET', '/.well-known/oauth-authorization-server', {
    headers: { host: 'localhost' },
  })
  expect(body).toEqual({
    issuer: 'https://ship.example.com',
    device_authorization_endpoint: 'https://ship.example.com/oauth/device_authorization',
    token_endpoint: 'https://ship.example.com/oauth/token',
    revocation_endpoint: 'https://ship.example.com/oauth/revocation',
    grant_types_supported: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    response_types_supported: [],
    scopes_supported: ['read', 'deploy', 'vars:write', 'ssh', 'admin'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    service_documentation: 'https://ship.example.com/api/reference',
  })
  const resource = await app.call('GET', '/.well-known/oauth-protected-resource')
  expect(resource.body).toMatchObject({
    resource: 'https://ship.example.com/api',
    authorization_servers: ['https://ship.example.com'],
    scopes_supported: ['read', 'deploy', 'vars:write', 'ssh', 'admin'],
    bearer_methods_supported: ['header'],
  })
  expect((await app.call('GET', '/.well-known/oauth-protected-resource/api')).body).toEqual(resource.body)
  for (const path of ['/.well-known/openid-configuration', '/jwks', '/auth', '/me', '/session/end', '/oauth/token']) {
    expect(await app.call('GET', path)).toMatchObject({ status: 404 })
  }
})

test('the address for people is the base address, whatever Host came in', async () => {
  const started = await postForm(
    app,
    '/oauth/device_authorization',
    { client_id: 'shipway-cli' },
    { host: 'localhost:1' },
  )
  expect(started.body.verification_uri).toBe('https://ship.example.com/device')
})

test.each([
  ['an unknown client', { client_id: 'other', grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_client'],
  ['an unknown grant type', { client_id: 'shipway-cli', grant_type: 'password' }, 'unsupported_grant_type'],
  ['a missing token', { client_id: 'shipway-cli', grant_type: 'refresh_token' }, 'invalid_request'],
  ['an unknown token', { client_id: 'shipway-cli', grant_type: 'refresh_token', refresh_token: 'x' }, 'invalid_grant'],
])('%s is refused in the words of RFC 6749, to a browser too', async (_what, fields, error) => {
  const answer = await postForm(app, '/oauth/token', fields, { accept: 'text/html' })
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.body).toMatchObject({ error, error_description: expect.any(String) })
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' })
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('a body that is no form is refused in the words of RFC 6749', async () => {
  const answer = await app.call('POST', '/oauth/token', { body: { client_id: 'shipway-cli' } })
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
})

test('scopes that do not exist are refused', async () => {
  expect(await startDevice(app, 'everything')).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
})

test('no other site is let in', async () => {
  const fields = { client_id: 'shipway-cli', grant_type: 'refresh_token', refresh_token: 'x' }
  for (const headers of [{ origin: 'https://evil.example' }, {}]) {
    const answer = await postForm(app, '/oauth/token', fields, headers)
    expect(answer.status).toBe(400)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
})

test('the token endpoint answers 120 requests a minute from one address', async () => {
  const ask = () => postForm(app, '/oauth/token', { client_id: 'shipway-cli' })
  for (let count = 0; count < 120; count++) expect((await ask()).status).toBe(400)
  const refused = await ask()
  expect(refused).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  app.moveClock(60_000)
  expect((await ask()).status).toBe(400)
})

test('a failure is logged without what was sent', async () => {
  await app.ctx.db.schema.dropTable('oauth_records').execute()
  const answer = await postForm(app, '/oauth/token', {
    client_id: 'shipway-cli',
    grant_type: 'refresh_token',
    refresh_token: 'shw_rt_sentinel',
  })
  expect(answer).toMatchObject({ status: 500, body: { error: 'server_error' } })
  expect(app.logLines.join('')).toContain('the OAuth server failed')
  expect(app.logLines.join('')).not.toContain('sentinel')
})
