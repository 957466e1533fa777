import { expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildUser } from '../../test/factories.ts'
import { openTestApp } from '../../test/test-app.ts'

const [source] = databases

test('requests without sign-in are counted by their address, health checks and users are not among them', async () => {
  if (!source) throw new Error('There is no database to test on')
  const app = await openTestApp(source, { apiRequestsPerMinute: 3 })
  const user = await buildUser(app.ctx)
  const statuses = async (url: string, as?: { token: string }): Promise<readonly number[]> => {
    const answers = []
    for (let count = 0; count < 4; count++) answers.push((await app.call('GET', url, { as })).status)
    return answers
  }
  expect(await statuses('/api/openapi.json')).toEqual([200, 200, 200, 429])
  expect(await statuses('/api/me', { token: 'shw_pat_wrong' })).toEqual([429, 429, 429, 429])
  expect(await statuses('/.well-known/oauth-authorization-server')).toEqual([200, 200, 200, 429])
  expect(await statuses('/healthz')).toEqual([200, 200, 200, 200])
  expect(await statuses('/api/me', user)).toEqual([200, 200, 200, 429])
  const { headers } = await app.call('GET', '/api/reference')
  expect(headers).toMatchObject({ 'retry-after': '60', 'ratelimit-policy': '"address";q=3;w=60' })
  await app.close()
})
