// The device flow, step by step, as the command line and the browser go through it.
import { buildSession, type TestUser } from './factories.ts'
import type { TestAnswer, TestApp } from './test-app.ts'

export type Tokens = { readonly access_token: string; readonly refresh_token: string }
type Device = { readonly device_code: string; readonly user_code: string }

export function postForm(
  app: TestApp,
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return app.call('POST', url, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
}

export const startDevice = (app: TestApp, scope?: string): Promise<TestAnswer> =>
  postForm(app, '/oauth/device_authorization', { client_id: 'shipway-cli', ...(scope !== undefined && { scope }) })

export const poll = (app: TestApp, { device_code }: Device): Promise<TestAnswer> =>
  postForm(app, '/oauth/token', {
    client_id: 'shipway-cli',
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code,
  })

export const refresh = (app: TestApp, { refresh_token }: Tokens, scope?: string): Promise<TestAnswer> =>
  postForm(app, '/oauth/token', {
    client_id: 'shipway-cli',
    grant_type: 'refresh_token',
    refresh_token,
    ...(scope !== undefined && { scope }),
  })

/** What the browser sends from our own page. */
export const sameOrigin = { origin: 'https://ship.example.com', 'sec-fetch-site': 'same-origin' } as const

export function answerInBrowser(
  app: TestApp,
  cookie: string,
  { user_code, decision }: { user_code: string; decision: string },
): Promise<TestAnswer> {
  const headers = { cookie, ...sameOrigin }
  return app.call('POST', `/api/device-requests/${user_code}/answer`, { body: { decision }, headers })
}

export async function signInOnDevice(app: TestApp, user: TestUser, scope = 'read'): Promise<Tokens> {
  const { body: device } = await startDevice(app, scope)
  const { cookie } = await buildSession(app.ctx, user.id)
  await answerInBrowser(app, cookie, { user_code: device.user_code, decision: 'approve' })
  return (await poll(app, device)).body
}
