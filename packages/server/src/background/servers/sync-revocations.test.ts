// A member goes, and servers refuse what that member was certified for: with a real sshd, also where it is away at first.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Role } from '@shipway/api/people'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildSshAccess } from '../../../test/access/ssh-access-records.ts'
import { startSshdForPeople } from '../../../test/access/sshd-for-people.ts'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { hasSshd, loopbackServers, type Sshd } from '../../../test/sshd.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { createHosts, type Hosts } from '../../remote/hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../../remote/ssh/ssh-authority.ts'
import { generateSshKey } from '../../secrets/ssh-key.ts'
import { createServerJobs, type ServerJobs } from './jobs/server-jobs.ts'
import { type RevocationSync, syncRevocations } from './sync-revocations.ts'

describe.skipIf(!hasSshd).each(databases)('revocations on $name', (source) => {
  const authority = createSshAuthority(generateSshAuthorityKey())
  const key = generateSshKey('somebody')
  let folder: string
  let app: TestApp
  let hosts: Hosts
  let serverJobs: ServerJobs
  let keeper: RevocationSync
  let sshd: Sshd
  let server: Awaited<ReturnType<typeof buildServer>>
  let environmentId: number
  let people: Record<Role, TestUser>

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shw-'))
    writeFileSync(join(folder, 'key'), key.privateKey.reveal(), { mode: 0o600 })
    app = await openTestApp(source)
    // sshd has a clock of its own.
    app.moveClock(Date.now() - app.ctx.clock())
    hosts = createHosts({ folder, authority, ...loopbackServers })
    serverJobs = createServerJobs(app.ctx, hosts, { now: app.ctx.clock })
    keeper = syncRevocations(app.ctx, serverJobs, hosts)
    const build = () => buildUser(app.ctx)
    people = { owner: await build(), admin: await build(), member: await build(), viewer: await build() }
    const members = Object.entries(people).map(([role, user]) => ({ user, role: role as Role }))
    const { id: organizationId } = await buildOrganization(app.ctx, members)
    server = await buildServer(app.ctx, organizationId, { hostname: '127.0.0.1', unix_user: userInfo().username })
    const peopleKey = await buildSshAccess(app.ctx, server)
    sshd = await startSshdForPeople({
      home: folder,
      installationId: 'test',
      authorityKey: authority.publicKey,
      peopleKey,
      principal: server.principal,
    })
    const reached = { port: sshd.port, host_key: sshd.hostKey }
    await app.ctx.db.updateTable('servers').set(reached).where('id', '=', server.id).execute()
    const project = await buildProject(app.ctx, { organizationId, ownerId: people.owner.id, serverId: server.id })
    environmentId = (await buildEnvironment(app.ctx, project)).id
  })
  afterEach(async () => {
    keeper.stop()
    await serverJobs.stop()
    await hosts.close()
    await sshd.stop()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const issue = async (role: Role, purpose: 'logs' | 'shell'): Promise<string> => {
    const body = { public_key: key.publicKey, purpose, environment_id: environmentId, ttl_seconds: 600 }
    const answer = await app.call('POST', `/api/servers/${server.id}/ssh`, { as: people[role], body })
    expect(answer.status).toBe(201)
    return answer.body.certificate
  }
  const isLetIn = async (certificate: string, { port } = sshd): Promise<boolean> => {
    writeFileSync(join(folder, 'key-cert.pub'), `${certificate}\n`)
    const options = {
      BatchMode: 'yes',
      IdentitiesOnly: 'yes',
      StrictHostKeyChecking: 'no',
      UserKnownHostsFile: '/dev/null',
    }
    const words = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    const where = ['-p', String(port), '-l', userInfo().username, '--', '127.0.0.1', 'true']
    return promisify(execFile)('ssh', ['-F', 'none', ...words, '-i', join(folder, 'key'), ...where]).then(
      () => true,
      (error: { stderr: string }) => {
        expect(error.stderr).toContain('Permission denied')
        return false
      },
    )
  }
  const members = () => `/api/organizations/${server.organization_id}/members`
  const told = async () =>
    (await app.ctx.db.selectFrom('ssh_access').where('server_id', '=', server.id).selectAll().executeTakeFirst())
      ?.revocations

  test('a removed member is refused from then on, and another user with the same key is not', async () => {
    const [leaving, staying] = [await issue('admin', 'shell'), await issue('owner', 'shell')]
    expect([await isLetIn(leaving), await isLetIn(staying)]).toEqual([true, true])
    expect((await app.call('DELETE', `${members()}/${people.admin.id}`, { as: people.owner })).status).toBe(204)
    await keeper.runOnce()
    expect([await isLetIn(leaving), await isLetIn(staying)]).toEqual([false, true])
    expect(await told()).toBe(1)
    // The platform itself comes in as ever.
    await app.call('DELETE', `${members()}/${people.viewer.id}`, { as: people.viewer })
    await keeper.runOnce()
    expect(await isLetIn(staying)).toBe(true)
  })

  test('a role that shrinks takes the shell along, and leaves the logs', async () => {
    const [shell, logs] = [await issue('admin', 'shell'), await issue('admin', 'logs')]
    const role = (to: Role) =>
      app.call('PATCH', `${members()}/${people.admin.id}`, { as: people.owner, body: { role: to } })
    expect((await role('owner')).status).toBe(200)
    await keeper.runOnce()
    expect(await isLetIn(shell)).toBe(true)
    await role('member')
    await keeper.runOnce()
    expect([await isLetIn(shell), await isLetIn(logs)]).toEqual([false, true])
  })

  test('an unreachable server is updated when it is back, and no request waits for it', async () => {
    const leaving = await issue('admin', 'shell')
    const { port } = sshd
    await app.ctx.db.updateTable('servers').set({ port: 1 }).where('id', '=', server.id).execute()
    expect((await app.call('DELETE', `${members()}/${people.admin.id}`, { as: people.owner })).status).toBe(204)
    await keeper.runOnce()
    expect(await told()).toBe(0)
    expect(await isLetIn(leaving)).toBe(true)
    await app.ctx.db.updateTable('servers').set({ port }).where('id', '=', server.id).execute()
    app.moveClock(300_000)
    await keeper.runOnce()
    expect(await isLetIn(leaving)).toBe(false)
  })

  describe('of a Swarm', () => {
    let other: Sshd
    beforeEach(async () => {
      const home = join(folder, 'other')
      mkdirSync(home)
      const { public_key: peopleKey } = await app.ctx.db
        .selectFrom('ssh_authorities')
        .where('organization_id', '=', server.organization_id)
        .select('public_key')
        .executeTakeFirstOrThrow()
      const { principal } = server
      other = await startSshdForPeople({
        home,
        installationId: 'test',
        authorityKey: authority.publicKey,
        peopleKey,
        principal,
      })
      await app.ctx.db.updateTable('servers').set({ runtime: 'swarm' }).where('id', '=', server.id).execute()
      for (const { port, hostKey } of [sshd, other])
        await app.ctx.db
          .insertInto('server_managers')
          .values({
            server_id: server.id,
            hostname: '127.0.0.1',
            port,
            host_key: hostKey,
            signed_in_at: 1,
            created_at: 1,
          })
          .execute()
    })
    afterEach(() => other.stop())

    test('every manager that was named refuses what is revoked, also one that did not answer at first', async () => {
      const leaving = await issue('admin', 'shell')
      expect([await isLetIn(leaving), await isLetIn(leaving, other)]).toEqual([true, true])
      const move = (from: number, to: number) =>
        app.ctx.db.updateTable('server_managers').set({ port: to }).where('port', '=', from).execute()
      await move(other.port, 1)
      expect((await app.call('DELETE', `${members()}/${people.admin.id}`, { as: people.owner })).status).toBe(204)
      await keeper.runOnce()
      expect([await isLetIn(leaving), await isLetIn(leaving, other)]).toEqual([false, true])
      await move(1, other.port)
      app.moveClock(60_000)
      await keeper.runOnce()
      expect(await isLetIn(leaving, other)).toBe(false)
      const counts = await app.ctx.db.selectFrom('server_managers').select('revocations').execute()
      expect(counts).toEqual([{ revocations: 1 }, { revocations: 1 }])
    })

    test('a manager that takes over gets the list, even though the previous one had it', async () => {
      const leaving = await issue('admin', 'shell')
      await app.call('DELETE', `${members()}/${people.admin.id}`, { as: people.owner })
      await keeper.runOnce()
      await app.ctx.db.updateTable('server_managers').set({ revocations: 0 }).where('port', '=', other.port).execute()
      await app.ctx.db
        .updateTable('servers')
        .set({ port: other.port, host_key: other.hostKey })
        .where('id', '=', server.id)
        .execute()
      writeFileSync(join(folder, 'other', '.shipway', 'test', 'access', 'revoked'), '')
      expect(await isLetIn(leaving, other)).toBe(true)
      app.moveClock(60_000)
      await keeper.runOnce()
      expect(await isLetIn(leaving, other)).toBe(false)
    })
  })

  test('a certificate that has ended by itself is not reported', async () => {
    await issue('admin', 'shell')
    await app.call('DELETE', `${members()}/${people.admin.id}`, { as: people.owner })
    app.moveClock(3_600_000)
    await keeper.runOnce()
    expect(await told()).toBe(0)
  })

  test('a running keeper hears of it at once', async () => {
    const leaving = await issue('admin', 'shell')
    keeper.start()
    await app.call('DELETE', `${members()}/${people.admin.id}`, { as: people.owner })
    await expect.poll(told).toBe(1)
    expect(await isLetIn(leaving)).toBe(false)
  })
})
