// A platform most of whose servers do not answer: it starts few processes for them, answers requests, and stops quickly.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { buildOrganization, buildServer, buildUser } from '../packages/server/test/factories.ts'
import { countChildren } from '../packages/server/test/process-list.ts'
import { listenSilently } from '../packages/server/test/silent-listener.ts'
import { until } from '../packages/server/test/steps.ts'
import { startPlatform } from '../tools/platform.ts'

/** Far less than the timeout of ssh, and far more than it takes on a busy machine. */
const MOST_SECONDS = 8

test('silent servers hold up neither requests nor the end', async () => {
  const silent = await listenSilently()
  onTestFinished(silent.stop)
  // These look like an sshd at first, so that a real ssh waits for them.
  const mumbling = await listenSilently('SSH-2.0-OpenSSH_9.9\r\n')
  onTestFinished(mumbling.stop)
  const platform = await startPlatform('embedded', async ({ db }) => {
    const ctx = { db, clock: Date.now }
    const user = await buildUser(ctx)
    const { id: organizationId } = await buildOrganization(ctx, [{ user, role: 'owner' }])
    const server = (port: number) => buildServer(ctx, organizationId, { hostname: '127.0.0.1', port })
    for (let count = 0; count < 60; count++) await server(silent.port)
    for (let count = 0; count < 20; count++) await server(mumbling.port)
  })
  onTestFinished(platform.stop)
  const { pid } = platform.process
  let most = 0
  await until(async () => {
    const now = countChildren(pid, 'ssh')
    most = Math.max(most, now)
    return silent.accepted() >= 60 && mumbling.accepted() >= 23 && now > 0
  })
  for (let count = 0; count < 20; count++) {
    expect((await fetch(`${platform.url}/healthz`)).status).toBe(200)
    most = Math.max(most, countChildren(pid, 'ssh'))
  }
  expect(most).toBeLessThanOrEqual(4)
  const exited = once(platform.process, 'exit').then(() => 'gone')
  platform.process.kill('SIGTERM')
  expect(await Promise.race([exited, pause(MOST_SECONDS * 1000, 'still there', { ref: false })])).toBe('gone')
})
