// The platform with everything that a client can leave unread: its HTTP server as it is, on records that are made here. It prints where each
// large answer is.

import { mkdir, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { appendOutput, beginStep } from '../packages/server/src/progress/progress.ts'
import { createArtifacts } from '../packages/server/src/remote/artifacts/artifacts.ts'
import { insertAuditEvent } from '../packages/server/src/store/audit-events.ts'
import { openDatabase } from '../packages/server/src/store/database.ts'
import { buildArtifact } from '../packages/server/test/action-records.ts'
import { routeTo } from '../packages/server/test/embedded-edge.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildRunningTask,
  buildTask,
  buildUser,
} from '../packages/server/test/factories.ts'
import { createLocalHost } from '../packages/server/test/processes/local-host.ts'
import { buildTestApp } from '../packages/server/test/test-app.ts'
import { freePort } from '../tools/free-port.ts'
import { HELD, type UnreadPlatform } from './unread.ts'

/** Each may have six downloads at once. */
const USERS = 340
const AUDIT_EVENTS = 20_000
const MIB = 1024 * 1024

const [applicationPort, dataFolder = '', url] = process.argv.slice(2)
const port = await freePort()
const dashboardFolder = await makeDashboard()
const database = await openDatabase({ dataFolder, url })
const settings = { baseUrl: `http://127.0.0.1:${port}`, dashboardFolder, apiRequestsPerMinute: 1_000_000 }
const host = createLocalHost('one')
const artifacts = createArtifacts({ hosts: { of: () => host }, folderOf: () => dataFolder })
const platform = await buildTestApp({ ...database, drop: () => database.close() }, settings, {
  clock: Date.now,
  artifacts,
})
// The lines are kept in memory, which is measured.
platform.ctx.log.level = 'silent'
const filled = await fill()
platform.ctx.embeddedEdge.replaceRoutes([routeTo(Number(applicationPort))], [])
await platform.app.listen({ host: '127.0.0.1', port })
console.log(JSON.stringify({ port, ...filled } satisfies UnreadPlatform))
console.log(`Listening on http://127.0.0.1:${port}`)
process.on('SIGUSR2', async () => {
  gc?.()
  // What buffers hold is freed by another thread, and some of them only become garbage with the first collection.
  await setTimeout(200)
  gc?.()
  const { heapUsed, external } = process.memoryUsage()
  console.log(`${HELD}${heapUsed + external}`)
})
process.on('SIGTERM', () => void platform.close())

async function makeDashboard(): Promise<string> {
  const built = join(dataFolder, 'dashboard')
  await mkdir(join(built, 'assets'), { recursive: true })
  const script = Buffer.from('export const page = 1\n'.repeat(100_000))
  for (const name of ['index.html', 'assets/page.js']) {
    await writeFile(join(built, name), script)
    await writeFile(join(built, `${name}.br`), brotliCompressSync(script))
    await writeFile(join(built, `${name}.gz`), gzipSync(script))
  }
  return built
}

async function fill() {
  const { ctx } = platform
  const users = []
  for (let count = 0; count < USERS; count++) users.push(await buildUser(ctx))
  const [owner] = users
  if (!owner) throw new Error('There is no user')
  const members = users.map((user) => ({ user, role: 'owner' as const }))
  const { id: organizationId } = await buildOrganization(ctx, members)
  const projects = []
  for (let count = 0; count < 100; count++) {
    projects.push(await buildProject(ctx, { organizationId, ownerId: owner.id }))
  }
  const [project] = projects
  if (!project) throw new Error('There is no project')
  const environment = await buildEnvironment(ctx, project)
  const lease = await buildRunningTask(ctx, environment.id)
  await beginStep(ctx, lease, { position: 1, phase: 'Build', key: 'build', name: 'Build' })
  const lines = Buffer.from(`${'x'.repeat(1023)}\n`.repeat(512))
  for (let part = 0; part < 32; part++) await appendOutput(ctx, lease, { position: 1, bytes: lines })
  const other = await buildEnvironment(ctx, project)
  const ended = { kind: 'action', action: 'dump', status: 'succeeded', started_at: 1, finished_at: 2 } as const
  const { id: endedId } = await buildTask(ctx, other.id, ended)
  const file = await makeFile(join(dataFolder, `environments/${other.id}/artifacts/${endedId}`), 256 * MIB)
  const artifact = await buildArtifact(ctx, endedId, file)
  const entry = {
    actor: { userId: owner.id, name: owner.name },
    origin: { address: '203.0.113.9', requestId: 'request-1' },
    target: { kind: 'environment', id: environment.id, name: 'x'.repeat(100) },
    organizationId,
    action: 'environment.updated',
    at: Date.now(),
  }
  await ctx.db.transaction().execute(async (trx) => {
    for (let count = 0; count < AUDIT_EVENTS; count++) await insertAuditEvent(trx, entry)
  })
  return { tokens: users.map(({ token }) => token), organizationId, taskId: lease.taskId, artifactId: artifact.id }
}

/** A file that an action has left. Its zeros take no disk space. */
async function makeFile(folder: string, size: number) {
  await mkdir(folder, { recursive: true })
  const path = join(folder, '1')
  await writeFile(path, '')
  await truncate(path, size)
  const { ino, ctimeMs } = await stat(path)
  return { number: 1, size, stamp: `${ino}:${Math.floor(ctimeMs / 1000)}` }
}
