// Which certificates are due, wanted and installed, as the records say.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases, type TestDatabase } from '../../../test/databases.ts'
import {
  buildCertificate,
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
} from '../../../test/factories.ts'
import { quietChanges } from '../../../test/quiet-changes.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { MAIN_SERVICE } from '../../domain/service-domains.ts'
import type { ChangeRecords } from '../../progress/change-records.ts'
import { replaceRoutes } from '../environments/routes.ts'
import { endLease, holdLease } from '../leases.ts'
import { deleteEndedOrders, listDueOrders, updateIssued, updateOrderFailed } from './certificate-orders.ts'
import { listSecureDomains } from './certificates.ts'
import {
  listInstalledCertificates,
  listWantedCertificates,
  replaceInstalledCertificates,
} from './installed-certificates.ts'

const NOW = 1_000_000
const issued = {
  key_id: 'key',
  chain: 'chain',
  private_key_sealed: 'sealed',
  names: '["a.test"]',
  issuer: 'Test',
  fingerprint: 'A'.repeat(40),
  not_before: 0,
  not_after: 9_000_000,
}

describe.each(databases)('certificates on $name', (source) => {
  let database: TestDatabase
  let ctx: { db: TestDatabase['db']; change: ChangeRecords; clock: () => number }
  let server: { id: number }
  let project: Awaited<ReturnType<typeof buildProject>>
  let environment: Awaited<ReturnType<typeof buildEnvironment>>

  beforeAll(async () => {
    database = await source.open()
    ctx = { db: database.db, change: quietChanges(database.db), clock: () => NOW }
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    // One project at a time, so that what is due is this one's.
    await ctx.db.deleteFrom('tasks').execute()
    await ctx.db.deleteFrom('environments').execute()
    await ctx.db.deleteFrom('projects').execute()
    const user = await buildUser(ctx)
    const organization = await buildOrganization(ctx, [{ user, role: 'owner' }])
    server = await buildServer(ctx, organization.id)
    const owned = { organizationId: organization.id, ownerId: user.id, serverId: server.id }
    project = await buildProject(ctx, owned, { tls: 'automatic' })
    environment = await buildEnvironment(ctx, project)
  })

  const route = async (...services: string[]): Promise<void> => {
    const task = await buildTask(ctx, environment.id)
    const beside = services.map((service) => ({ service, domain: `${service}.${project.domain}`, port: 2 }))
    const routes = [{ service: MAIN_SERVICE, domain: environment.domain, port: 1 }, ...beside]
    await ctx.change(PLATFORM, (tx) => replaceRoutes(tx, { environmentId: environment.id, taskId: task.id, routes }))
    await ctx.db.updateTable('tasks').set({ status: 'failed', finished_at: NOW }).where('id', '=', task.id).execute()
  }
  const due = async (now = NOW) => (await listDueOrders(ctx.db, now)).map(({ domain, failures }) => [domain, failures])
  const set = (tls: 'off' | 'certificate' | 'automatic') => ctx.db.updateTable('projects').set({ tls }).execute()
  const own = () => ({ projectId: project.id, domain: environment.domain })

  test('a domain is due once it has a route, on a server with HAProxy, in a project that wants it', async () => {
    expect(await due()).toEqual([])
    await route('api')
    expect(await due()).toEqual([
      [`api.${project.domain}`, 0],
      [environment.domain, 0],
    ])
    await set('certificate')
    expect(await due()).toEqual([])
    await set('automatic')
    await ctx.db
      .updateTable('servers')
      .set({ connection: 'local', edge: 'embedded' })
      .where('id', '=', server.id)
      .execute()
    expect(await due()).toEqual([])
  })

  test('what failed is due again in its time, after those that never failed, and another deployment does not hurry it', async () => {
    await route('api')
    await ctx.change(PLATFORM, (tx) =>
      updateOrderFailed(tx, own(), { at: NOW, failures: 1, error: 'No', nextAttemptAt: NOW + 10 }),
    )
    await route('api')
    expect(await due()).toEqual([[`api.${project.domain}`, 0]])
    expect(await due(NOW + 10)).toEqual([
      [`api.${project.domain}`, 0],
      [environment.domain, 1],
    ])
  })

  test('what was issued is due at its renewal, also after a failure, which leaves it as it is', async () => {
    await route()
    await ctx.change(PLATFORM, (tx) => updateIssued(tx, own(), { ...issued, at: NOW, renewAt: NOW + 100 }))
    expect(await due(NOW + 99)).toEqual([])
    expect(await due(NOW + 100)).toEqual([[environment.domain, 0]])
    await ctx.change(PLATFORM, (tx) =>
      updateOrderFailed(tx, own(), { at: NOW, failures: 1, error: 'No', nextAttemptAt: NOW + 200 }),
    )
    expect(await listWantedCertificates(ctx.db, server.id)).toMatchObject([
      { chain: 'chain', hosts: [environment.domain] },
    ])
    await ctx.change(PLATFORM, (tx) =>
      updateIssued(tx, own(), { ...issued, chain: 'next', at: NOW, renewAt: NOW + 300 }),
    )
    const row = await ctx.db.selectFrom('certificates').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ chain: 'next', failures: 0, last_error: null, next_attempt_at: NOW + 300 })
  })

  test('an order of a project that is gone leaves nothing', async () => {
    await ctx.change(PLATFORM, (tx) =>
      updateIssued(tx, { projectId: 987_654, domain: 'a.test' }, { ...issued, at: NOW, renewAt: NOW }),
    )
    expect(await ctx.db.selectFrom('certificates').selectAll().execute()).toEqual([])
  })

  test('an ordered one whose domain is gone is kept until it ends, and is wanted nowhere', async () => {
    const gone = { projectId: project.id, domain: 'gone.test' }
    await ctx.change(PLATFORM, (tx) => updateIssued(tx, gone, { ...issued, at: NOW, renewAt: NOW }))
    await ctx.change(PLATFORM, (tx) => updateIssued(tx, own(), { ...issued, at: NOW, renewAt: NOW }))
    expect((await listWantedCertificates(ctx.db, server.id)).map(({ hosts }) => hosts)).toEqual([[environment.domain]])
    await ctx.change(PLATFORM, (tx) => deleteEndedOrders(tx, 9_000_000))
    expect(await ctx.db.selectFrom('certificates').select('domain').orderBy('domain').execute()).toHaveLength(2)
    await ctx.change(PLATFORM, (tx) => deleteEndedOrders(tx, 9_000_001))
    expect(await ctx.db.selectFrom('certificates').select('domain').execute()).toEqual([{ domain: environment.domain }])
  })

  test('a supplied one is wanted on every server of its project, for names of the project alone', async () => {
    const other = await buildServer(ctx, project.organization_id)
    await ctx.db
      .insertInto('project_servers')
      .values({ project_id: project.id, server_id: other.id, position: 1 })
      .execute()
    const foreign = await buildServer(ctx, project.organization_id)
    await buildCertificate(ctx, project.id, { names: JSON.stringify([`*.${project.domain}`, '*.foreign.test']) })
    expect(await listWantedCertificates(ctx.db, server.id)).toEqual([])
    await set('certificate')
    for (const { id } of [server, other]) {
      expect(await listWantedCertificates(ctx.db, id)).toMatchObject([{ hosts: [`*.${project.domain}`] }])
    }
    expect(await listWantedCertificates(ctx.db, foreign.id)).toEqual([])
  })

  test('a domain is secure where a certificate that covers it is installed, and tls is not off', async () => {
    await route('api')
    const supplied = await buildCertificate(ctx, project.id, { names: JSON.stringify([environment.domain]) })
    const names = JSON.stringify([`api.${project.domain}`])
    const api = { projectId: project.id, domain: `api.${project.domain}` }
    await ctx.change(PLATFORM, (tx) => updateIssued(tx, api, { ...issued, names, at: NOW, renewAt: NOW }))
    const ordered = await ctx.db
      .selectFrom('certificates')
      .where('source', '=', 'acme')
      .select('id')
      .executeTakeFirstOrThrow()
    expect([...(await listSecureDomains(ctx.db, server.id))]).toEqual([])
    const installed = [supplied.id, ordered.id].map((certificateId) => ({ certificateId, digest: 'd' }))
    await ctx.change(PLATFORM, (tx) => replaceInstalledCertificates(tx, server.id, { installed, at: NOW }))
    expect(await listInstalledCertificates(ctx.db, server.id)).toHaveLength(2)
    expect([...(await listSecureDomains(ctx.db, server.id))]).toEqual([`api.${project.domain}`])
    await set('certificate')
    expect([...(await listSecureDomains(ctx.db, server.id))]).toEqual([environment.domain])
    await set('off')
    expect([...(await listSecureDomains(ctx.db, server.id))]).toEqual([])
  })

  test('what is deleted is known to be on the server until it was taken from there', async () => {
    const { id } = await buildCertificate(ctx, project.id)
    const installed = [{ certificateId: id, digest: 'd' }]
    await ctx.change(PLATFORM, (tx) => replaceInstalledCertificates(tx, server.id, { installed, at: NOW }))
    await ctx.db.deleteFrom('environments').execute()
    await ctx.db.deleteFrom('projects').execute()
    expect(await listInstalledCertificates(ctx.db, server.id)).toEqual(installed)
    await ctx.change(PLATFORM, (tx) => replaceInstalledCertificates(tx, 987_654, { installed, at: NOW }))
    expect(await listInstalledCertificates(ctx.db, 987_654)).toEqual([])
  })

  test('one process at a time holds the lease, until it ends it or its time is up', async () => {
    const one = { name: 'certificates', holder: 'one' } as const
    const two = { name: 'certificates', holder: 'two' } as const
    expect(await holdLease(ctx.db, one)).toBe(true)
    expect(await holdLease(ctx.db, two)).toBe(false)
    expect(await holdLease(ctx.db, one)).toBe(true)
    await endLease(ctx.db, two)
    expect(await holdLease(ctx.db, two)).toBe(false)
    await ctx.db.updateTable('leases').set({ until: 0 }).execute()
    expect(await holdLease(ctx.db, two)).toBe(true)
    await endLease(ctx.db, two)
    expect(await holdLease(ctx.db, one)).toBe(true)
  })
})
