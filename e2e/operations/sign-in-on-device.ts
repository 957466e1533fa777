// The device flow over three processes: requested at one, approved at another, fetched and renewed at the third.
import { expect } from 'vitest'
import { newToken } from '../../packages/server/src/secrets/token.ts'
import type { Platforms } from '../faults/platforms.ts'

export async function signInOnDevice({ nodes, db }: Platforms): Promise<void> {
  const [one = '', two = '', three = ''] = nodes.map(({ url }) => url)
  const post = async (url: string, fields: Record<string, string>) => {
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'shipway-cli', ...fields }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const { body: device } = await post(`${one}/oauth/device_authorization`, { scope: 'read' })
  const answered = await fetch(`${two}/api/device-requests/${device.user_code}/answer`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: await buildCookie(db),
      origin: two,
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ decision: 'approve' }),
  })
  expect(answered.ok).toBe(true)
  const fetched = await post(`${three}/oauth/token`, {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: device.device_code,
  })
  expect(fetched).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
  const renewed = await post(`${one}/oauth/token`, {
    grant_type: 'refresh_token',
    refresh_token: fetched.body.refresh_token,
  })
  expect(renewed).toMatchObject({ status: 200 })
  const me = await fetch(`${two}/api/me`, { headers: { authorization: `Bearer ${renewed.body.access_token}` } })
  expect(me.status).toBe(200)
}

/** Session cookie of a user who is signed in to the dashboard. */
async function buildCookie(db: Platforms['db']): Promise<string> {
  const { id: user_id } = await db.selectFrom('users').orderBy('id').select('id').executeTakeFirstOrThrow()
  const { token, digest: token_digest } = newToken('shw_session_')
  const now = Date.now()
  const session = { user_id, token_digest, created_at: now, last_seen_at: now, expires_at: now + 3_600_000 }
  await db.insertInto('sessions').values(session).execute()
  return `shipway_session=${token.reveal()}`
}
