// Supplied certificates on their way to the edges of servers, and orders that fail for one name alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import {
  buildCertificate,
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../../test/factories.ts'
import { createFakeHost } from '../../../../test/fake-host.ts'
import { hasHaproxy } from '../../../../test/haproxy.ts'
import { type HaproxyHttpsEdge, openHaproxyHttpsEdge, shownFor } from '../../../../test/haproxy-https-edge.ts'
import { makeCertificate } from '../../../../test/make-certificate.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import { OrderFailed } from '../../../edge/acme/acme-authority.ts'
import { type CheckedCertificate, checkCertificate } from '../../../edge/certificates/check-certificate.ts'
import { type Host, ServerUnreachable } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { Secret } from '../../../secrets/secret.ts'
import { listSecureDomains } from '../../../store/projects/certificates.ts'
import { createServerJobs, type ServerJobs } from '../jobs/server-jobs.ts'
import { type CertificateRenewal, renewCertificates } from './renew-certificates.ts'

const wildcard = makeCertificate({ names: ['*.app.example.com'], from: Date.parse('2026-01-01T00:00:00Z') })

describe.skipIf(!hasHaproxy).each(databases)('certificates for servers on $name', (source) => {
  let folder: string
  let app: TestApp
  let edge: HaproxyHttpsEdge
  let serverJobs: ServerJobs
  let keeper: CertificateRenewal
  let admin: TestUser
  let server: { id: number; name: string }
  let project: Awaited<ReturnType<typeof buildProject>>
  let connections: string[]
  let orders: string[]
  let hostOf: (name: string) => Host
  let issue: (domain: string) => CheckedCertificate

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shipway-keep-'))
    connections = []
    orders = []
    app = await openTestApp(source, { dataFolder: folder }, { acmeThumbprint: 'a'.repeat(43) })
    edge = await openHaproxyHttpsEdge({ folder: join(folder, 'server/test/edge') })
    const hosts: Hosts = {
      of: ({ name, connection }) => {
        connections.push(name)
        if (connection === 'ssh') throw new ServerUnreachable('connect', 'It does not answer')
        return hostOf(name)
      },
      forLogs: ({ name }) => hostOf(name),
      ofManager: ({ name }) => hostOf(name),
      publicKey: '',
      forget: () => undefined,
      probe: async () => undefined,
      close: async () => undefined,
    }
    hostOf = createLocalHost
    issue = () => {
      throw new OrderFailed('The authority refused', { retryAfterMs: 3_600_000 })
    }
    const orderCertificate = async (domain: string): Promise<CheckedCertificate> => {
      orders.push(domain)
      return issue(domain)
    }
    serverJobs = createServerJobs(app.ctx, hosts, { now: app.ctx.clock })
    keeper = renewCertificates(app.ctx, { hosts, serverJobs, authority: { orderCertificate } })
    admin = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: admin, role: 'admin' }])
    server = await buildServer(app.ctx, organization.id, { connection: 'local', edge: 'haproxy' })
    const owned = { organizationId: organization.id, ownerId: admin.id, serverId: server.id }
    project = await buildProject(app.ctx, owned, { domain: 'app.example.com', tls: 'certificate' })
  })
  afterEach(async () => {
    await keeper.stop()
    await serverJobs.stop()
    await edge.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const url = () => `/api/projects/${project.id}/certificate`
  const body = { certificate: wildcard.certificate, private_key: wildcard.privateKey }

  test('a supplied wildcard is shown for every environment, announced, and removed from the server when it is withdrawn', async () => {
    const environment = await buildEnvironment(app.ctx, project)
    await app.call('PUT', url(), { as: admin, body })
    await keeper.runOnce()
    expect(await shownFor(edge.httpsPort, 'any.app.example.com')).toMatch(/^[0-9A-F]{40}$/)
    expect(await shownFor(edge.httpsPort, 'app.example.com')).toBeUndefined()
    expect(await listSecureDomains(app.ctx.db, server.id)).toEqual(new Set([environment.domain]))
    const { servers } = (await app.call('GET', url(), { as: admin })).body
    expect(servers).toEqual([{ id: server.id, name: server.name }])
    await app.call('DELETE', url(), { as: admin })
    await keeper.runOnce()
    app.moveClock(31_000)
    await keeper.runOnce()
    expect(await shownFor(edge.httpsPort, 'any.app.example.com')).toBeUndefined()
  })

  test('a server that has what it should have is left alone for a while, and one without certificates always', async () => {
    await buildServer(app.ctx, project.organization_id, { connection: 'local', edge: 'haproxy' })
    await keeper.runOnce()
    expect(connections).toEqual([])
    await app.call('PUT', url(), { as: admin, body })
    await keeper.runOnce()
    await keeper.runOnce()
    expect(connections).toEqual([server.name])
    app.moveClock(601_000)
    await keeper.runOnce()
    expect(connections).toEqual([server.name, server.name])
  })

  test('a server that cannot be reached keeps no other waiting, and is not asked all the time', async () => {
    const away = await buildServer(app.ctx, project.organization_id, { connection: 'ssh', edge: 'haproxy' })
    await app.ctx.db
      .insertInto('project_servers')
      .values({ project_id: project.id, server_id: away.id, position: 1 })
      .execute()
    await app.call('PUT', url(), { as: admin, body })
    await keeper.runOnce()
    await keeper.runOnce()
    expect(await shownFor(edge.httpsPort, 'any.app.example.com')).toBeDefined()
    expect(connections.filter((name) => name === away.name)).toHaveLength(1)
    app.moveClock(61_000)
    await keeper.runOnce()
    expect(connections.filter((name) => name === away.name)).toHaveLength(2)
  })

  const buildOrdering = async () => {
    await app.ctx.db.updateTable('projects').set({ tls: 'automatic' }).execute()
    const environment = await buildEnvironment(app.ctx, project)
    const task = await buildTask(app.ctx, environment.id)
    await app.ctx.db
      .insertInto('routes')
      .values({ domain: environment.domain, port: 20_000, task_id: task.id })
      .execute()
    await edge.apply({ acmeThumbprint: app.ctx.acmeThumbprint })
    return environment
  }

  test('a certificate whose life is no multiple of three is kept, and ordered once', async () => {
    const environment = await buildOrdering()
    issue = (domain) => {
      const made = makeCertificate({ names: [domain], from: app.ctx.clock() - 60_000 })
      const { certificate } = checkCertificate(made.certificate, new Secret(made.privateKey), app.ctx.clock())
      if (!certificate) throw new Error('The certificate of the test is no good')
      // As authorities make them: 90 days, the last second included.
      return { ...certificate, notAfter: certificate.notAfter - 1_000 }
    }
    await keeper.runOnce()
    await keeper.runOnce()
    expect(orders).toEqual([environment.domain])
    expect(await shownFor(edge.httpsPort, environment.domain)).toBeDefined()
  })

  test('an organization with many names keeps no other waiting, and learns when its orders continue', async () => {
    for (let count = 0; count < 4; count++) await buildOrdering()
    const placed = { organization_id: project.organization_id, placed_at: app.ctx.clock() - 60_000 }
    await app.ctx.db
      .insertInto('placed_orders')
      .values(Array.from({ length: 58 }, () => placed))
      .execute()
    const others = await buildOrganization(app.ctx, [{ user: admin, role: 'admin' }])
    const owned = { organizationId: others.id, ownerId: admin.id, serverId: server.id }
    const own = project
    project = await buildProject(app.ctx, owned, { domain: 'zzz.example.com', tls: 'automatic' })
    const { domain: late } = await buildOrdering()
    project = own
    await keeper.runOnce()
    await keeper.runOnce()
    expect(orders).toHaveLength(3)
    expect(orders[0]).toBe(late)
    const list: { problems: readonly string[]; failures: number }[] = (
      await app.call('GET', `${url()}s`, { as: admin })
    ).body
    const waiting = list.filter(({ failures }) => failures === 0)
    expect(waiting.map(({ problems }) => problems)).toEqual([
      [expect.stringContaining('which is its share. This one is ordered at about 2026-01-02 06:03 UTC')],
      [expect.stringContaining('which is its share. This one is ordered at about 2026-01-02 06:03 UTC')],
    ])
    app.moveClock(3 * 3_600_000 - 60_000)
    await keeper.runOnce()
    expect(orders).toHaveLength(8)
  })

  test('an order that the authority wants to wait waits as long as that, and is one line in the list', async () => {
    const environment = await buildOrdering()
    await keeper.runOnce()
    app.moveClock(3_599_000)
    await keeper.runOnce()
    expect(orders).toEqual([environment.domain])
    app.moveClock(1_000)
    await keeper.runOnce()
    expect(orders).toEqual([environment.domain, environment.domain])
    expect((await app.call('GET', `${url()}s`, { as: admin })).body).toMatchObject([
      { domain: environment.domain, failures: 2, problems: ['The authority refused'], not_after: null },
    ])
  })

  test('a server speaks of the certificates that it was given, and of no others', async () => {
    const others = await buildOrganization(app.ctx)
    const theirs = await buildProject(app.ctx, { organizationId: others.id, ownerId: admin.id })
    const foreign = await buildCertificate(app.ctx, theirs.id)
    await app.call('PUT', url(), { as: admin, body })
    const own = await app.ctx.db
      .selectFrom('certificates')
      .where('project_id', '=', project.id)
      .select('id')
      .executeTakeFirstOrThrow()
    const said = ['9'.repeat(30), foreign.id, own.id].map(
      (id) => `refused ${id} \u001b[31mIt \0is${'!'.repeat(2000)}\n`,
    )
    hostOf = () => createFakeHost({ edge: { stdout: `shipway-edge live\n${said.join('')}` } }, [])
    await keeper.runOnce()
    const rows = await app.ctx.db.selectFrom('certificates').select(['id', 'last_error']).execute()
    const errorOf = (id: number) => rows.find((row) => row.id === id)?.last_error
    expect(errorOf(foreign.id)).toBeNull()
    expect(errorOf(own.id)).toMatch(/^HAProxy on .* does not take it: It is!{400,500}$/)
  })

  test('one process at a time does this work', async () => {
    await app.call('PUT', url(), { as: admin, body })
    await app.ctx.db.insertInto('leases').values({ name: 'certificates', holder: 'other', until: 9e15 }).execute()
    await keeper.runOnce()
    expect(connections).toEqual([])
    await app.ctx.db.deleteFrom('leases').execute()
    await keeper.runOnce()
    expect(connections).toEqual([server.name])
  })
})
