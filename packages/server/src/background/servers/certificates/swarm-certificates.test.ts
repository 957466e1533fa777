// Certificates on a Swarm: visitors come in through each of its managers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../../test/factories.ts'
import { hasHaproxy } from '../../../../test/haproxy.ts'
import { type HaproxyHttpsEdge, openHaproxyHttpsEdge, shownFor } from '../../../../test/haproxy-https-edge.ts'
import { makeCertificate } from '../../../../test/make-certificate.ts'
import { oneDatabase } from '../../../../test/one-database.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import { serverFolderOf } from '../../../domain/server-folder.ts'
import { OrderFailed } from '../../../edge/acme/acme-authority.ts'
import { type Host, ServerUnreachable } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { createServerJobs, type ServerJobs } from '../jobs/server-jobs.ts'
import { type CertificateRenewal, renewCertificates } from './renew-certificates.ts'

const NAME = 'any.app.example.com'
const [first, second] = ['2026-01-01', '2026-01-02'].map((day) =>
  makeCertificate({ names: ['*.app.example.com'], from: Date.parse(`${day}T00:00:00Z`) }),
)

describe.skipIf(!hasHaproxy).each(oneDatabase)('certificates on a Swarm ($name)', (source) => {
  let folder: string
  let app: TestApp
  let edges: readonly HaproxyHttpsEdge[]
  let serverJobs: ServerJobs
  let keeper: CertificateRenewal
  let admin: TestUser
  let serverId: number
  let project: Awaited<ReturnType<typeof buildProject>>
  let orders: string[]
  /** Hostname of the manager that cannot be reached. */
  let away: string

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shw-'))
    app = await openTestApp(source, { dataFolder: folder }, { acmeThumbprint: 'a'.repeat(43) })
    const own = serverFolderOf(app.ctx, { connection: 'ssh' }, '.')
    edges = await Promise.all(
      ['m1', 'm2'].map((name) => openHaproxyHttpsEdge({ folder: join(folder, name, own, 'edge') })),
    )
    away = ''
    orders = []
    const machine = ({ hostname }: { readonly hostname: string }): Host => ({
      ...createLocalHost(hostname),
      run: (command, options) =>
        hostname === away
          ? Promise.reject(new ServerUnreachable('connect', 'It does not answer'))
          : createLocalHost(hostname, { HOME: join(folder, hostname) }).run(command, options),
    })
    const hosts: Hosts = {
      ...{ of: machine, forLogs: machine, ofManager: machine, publicKey: '' },
      forget: () => undefined,
      probe: async () => undefined,
      close: async () => undefined,
    }
    serverJobs = createServerJobs(app.ctx, hosts, { now: app.ctx.clock })
    const orderCertificate = async (domain: string) => {
      orders.push(domain)
      throw new OrderFailed('The authority refused', { retryAfterMs: 3_600_000 })
    }
    keeper = renewCertificates(app.ctx, { hosts, serverJobs, authority: { orderCertificate } })
    admin = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: admin, role: 'admin' }])
    const server = await buildServer(app.ctx, organization.id, { runtime: 'swarm', hostname: 'm1' })
    serverId = server.id
    for (const hostname of ['m1', 'm2'])
      await app.ctx.db
        .insertInto('server_managers')
        .values({ server_id: serverId, hostname, port: 22, signed_in_at: 1, created_at: 1 })
        .execute()
    const owned = { organizationId: organization.id, ownerId: admin.id, serverId }
    project = await buildProject(app.ctx, owned, { domain: 'app.example.com', tls: 'certificate' })
  })
  afterEach(async () => {
    await keeper.stop()
    await serverJobs.stop()
    for (const edge of edges) await edge.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const supply = async (made: ReturnType<typeof makeCertificate> | undefined) => {
    const body = { certificate: made?.certificate, private_key: made?.privateKey }
    await app.call('PUT', `/api/projects/${project.id}/certificate`, { as: admin, body })
    await keeper.runOnce()
  }
  const shown = () => Promise.all(edges.map(({ httpsPort }) => shownFor(httpsPort, NAME)))
  /** Of each manager, with a number in place of each fingerprint. */
  const shownAs = async () => {
    const all = await shown()
    return all.map((one) => (one === undefined ? null : all.indexOf(one)))
  }

  test('are on every manager; one that was out of reach gets them when it is back', async () => {
    away = 'm2'
    await supply(first)
    expect(await shownAs()).toEqual([0, null])
    away = ''
    app.moveClock(31_000)
    await keeper.runOnce()
    expect(await shownAs()).toEqual([0, 0])
    await app.call('DELETE', `/api/projects/${project.id}/certificate`, { as: admin })
    await keeper.runOnce()
    app.moveClock(31_000)
    await keeper.runOnce()
    expect(await shownAs()).toEqual([null, null])
  })

  test('are on the manager that has taken over, and on the lost one when it is back', async () => {
    await supply(first)
    expect(await shownAs()).toEqual([0, 0])
    const [before] = await shown()
    away = 'm1'
    await app.ctx.db.updateTable('servers').set({ hostname: 'm2' }).where('id', '=', serverId).execute()
    await supply(second)
    expect(await shownAs()).toEqual([0, 1])
    expect((await shown())[0]).toBe(before)
    away = ''
    app.moveClock(31_000)
    await keeper.runOnce()
    expect(await shownAs()).toEqual([0, 0])
    expect((await shown())[0]).not.toBe(before)
  })

  test('are ordered once every manager answers the challenges', async () => {
    await app.ctx.db.updateTable('projects').set({ tls: 'automatic' }).execute()
    const environment = await buildEnvironment(app.ctx, project)
    const task = await buildTask(app.ctx, environment.id)
    const { domain } = environment
    await app.ctx.db.insertInto('routes').values({ domain, port: 20_000, task_id: task.id }).execute()
    await edges[0]?.apply({ acmeThumbprint: app.ctx.acmeThumbprint })
    await keeper.runOnce()
    expect(orders).toEqual([])
    await edges[1]?.apply({ acmeThumbprint: app.ctx.acmeThumbprint })
    app.moveClock(31_000)
    await keeper.runOnce()
    expect(orders).toEqual([domain])
  })
})
