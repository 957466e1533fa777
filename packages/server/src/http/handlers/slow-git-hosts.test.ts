// A git host that an organization chose, and that takes its time: how much of the platform it can hold.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildUser, type TestUser } from '../../../test/factories.ts'
import { ALLOW_LOOPBACK } from '../../../test/hooks/stage-hooks.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test with')
const app = stageApp(source, ALLOW_LOOPBACK)

/** Answers that are held back; all at once when it lets go. */
const held: ServerResponse[] = []
let isSlow = false
const host = createServer((_request, response) => {
  if (isSlow) held.push(response)
  else response.end('{"id":1,"login":"ada"}')
})
let base: string

beforeAll(async () => {
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
  base = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
})
afterAll(async () => {
  host.closeAllConnections()
  host.close()
  await once(host, 'close')
})

async function connect(owner: TestUser): Promise<{ readonly organizationId: number; readonly id: number }> {
  const organizationId = (await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])).id
  const { status, body, text } = await add(owner, organizationId, 'Git')
  expect(status, text).toBe(201)
  return { organizationId, id: body.id }
}

const add = (as: TestUser, organizationId: number, name: string) =>
  app.call('POST', `/api/organizations/${organizationId}/connections`, {
    as,
    body: { type: 'gitea', name, base_url: base, token: 'token' },
  })

test('holds few calls of its own organization at once, whoever asks for what, and none of another one', async () => {
  const [owner, neighbor] = [await buildUser(app.ctx), await buildUser(app.ctx)]
  const { organizationId, id } = await connect(owner)
  const other = await connect(neighbor)
  isSlow = true
  const list = () => app.call('GET', `/api/connections/${id}/repositories`, { as: owner })
  const calls = Array.from({ length: 12 }, (_, place) => [
    list(),
    app.call('POST', `/api/connections/${id}/check`, { as: owner }),
    add(owner, organizationId, `Git ${place}`),
  ]).flat()
  await expect.poll(() => calls.length > 0 && held.length, { timeout: 10_000 }).toBeGreaterThan(0)
  const refused = await Promise.race(calls)
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
  expect(held.length).toBeLessThanOrEqual(4)

  const before = held.length
  const neighbors = app.call('POST', `/api/connections/${other.id}/check`, { as: neighbor })
  await expect.poll(() => held.length, { timeout: 10_000 }).toBe(before + 1)
  isSlow = false
  for (const response of held.splice(0)) response.end('{"id":1,"login":"ada"}')
  expect((await neighbors).body.status).toBe('active')
  await Promise.all(calls)
})
