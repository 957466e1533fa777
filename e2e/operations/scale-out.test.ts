/**
 * Three processes on one PostgreSQL behind the proxy of docs/scale-out.md; one of them is killed again and again: every journey through
 * the API continues, and every reader of the live channel ends with the true state. Long form, five minutes with a kill every twenty
 * seconds: MINUTES=5 npx vitest run e2e/operations/scale-out.test.ts
 */
import { createClient } from '@shipway/api'
import { expect, test } from 'vitest'
import { freePort } from '../../tools/free-port.ts'
import { type Platforms, startPlatforms } from '../faults/platforms.ts'
import { beginProject, until } from '../journey.ts'
import { differences } from '../live/differences.ts'
import { readAlong, retryWhileDown } from '../live/reader.ts'
import { startProxy } from './proxy.ts'
import { signInOnDevice } from './sign-in-on-device.ts'
import { type Visitor, visitAlways } from './visitor.ts'

const MINUTES = Number(process.env.MINUTES ?? 0)
const KILLS = 2
const KILL_EVERY_MS = 20_000
const VISITORS = 2
const READERS = 3

test('one of three is killed again and again, and no client notices', {
  timeout: 420_000 + MINUTES * 120_000,
}, async () => {
  await using cleanUp = new AsyncDisposableStack()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const platforms = await startPlatforms(3, { SHIPWAY_BASE_URL: url, SHIPWAY_TRUSTED_PROXIES: '127.0.0.1' })
  cleanUp.defer(() => platforms.stop())
  const { nodes, token } = platforms
  const proxy = await startProxy({ port, nodes })
  cleanUp.defer(() => proxy.stop())
  const project = await beginProject({ url, token, connection: 'ssh' })
  cleanUp.defer(() => project.stop())
  const { client, projectId } = project
  project.commit({ '.service.yml': SERVICE })
  const [organizationId = 0] = (await client.listOrganizations({})).map(({ id }) => id)
  const topics = [`organization:${organizationId}`, `project:${projectId}`]
  const readers = Array.from({ length: READERS }, () => readAlong({ token, address: () => url, topics }))
  cleanUp.defer(async () => void (await Promise.all(readers.map((reader) => reader.stop()))))
  await Promise.all(readers.map(({ online }) => online))
  const onTask = (id: number): void => {
    for (const reader of readers) for (const topic of [`task:${id}`, `task:${id}:log`]) reader.watch(topic)
  }
  const visit = { client: createClient({ baseUrl: url, token: () => token }), projectId, onTask }
  const visitors = Array.from({ length: VISITORS }, (_, index) => visitAlways(`v${index}`, visit))
  await Promise.race([killInTurn(nodes, visitors), ...visitors.map(({ ended }) => ended)])
  await signInOnDevice(platforms)
  await Promise.all(visitors.map((visitor) => visitor.stop()))
  const wrong = async () =>
    (await Promise.all(readers.map(({ model }) => differences(client, model, { organizationId, projectId })))).flat()
  await expect.poll(() => retryWhileDown(wrong), { interval: 500 }).toEqual([])
  expect(readers.every(({ model }) => model.tasks.size > 0)).toBe(true)
})

/** After each kill, a journey begins and ends while that process is away; then it comes back. */
async function killInTurn(nodes: Platforms['nodes'], visitors: readonly Visitor[]): Promise<void> {
  const endsAt = performance.now() + MINUTES * 60_000
  for (let kill = 0; kill < KILLS || performance.now() < endsAt; kill++) {
    const killedAt = performance.now()
    const node = nodes[kill % nodes.length]
    await node?.end(kill % 2 === 1 ? 'SIGTERM' : 'SIGKILL')
    const before = journeysOf(visitors)
    await until(async () => journeysOf(visitors) >= before + 2 || undefined, 'journeys end without that process', 150)
    await node?.restart()
    const restMs = MINUTES === 0 ? 0 : KILL_EVERY_MS - (performance.now() - killedAt)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, restMs)))
  }
}

const journeysOf = (visitors: readonly Visitor[]): number => visitors.reduce((sum, { count }) => sum + count, 0)

const SERVICE = `
services:
  web: {}
manual:
  deploy:
    - name: Say hello
      run: echo "hello, key $KEY"
`
