// Alerts about servers, certificates and backups: who gets a message, once each time, and one when it is over.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildCertificate,
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { createReachabilityRecorder } from '../../background/servers/health/record-reachability.ts'
import { updateServerDisk } from '../../store/alerts/server-health.ts'
import { updateLastBackup } from '../../store/backup/last-backup.ts'
import { compareAlerts } from './compare-alerts.ts'
import { raiseAlert } from './raise-alert.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const GIB = 1024 ** 3

describe.each(databases)('alerts on $name', (source) => {
  const app = stageApp(source)
  let owner: TestUser
  let admin: TestUser
  let organizationId: number
  let serverId: number
  let earlier: number

  beforeEach(async () => {
    app.moveClock(DAY)
    owner = await buildUser(app.ctx)
    admin = await buildUser(app.ctx)
    organizationId = (
      await buildOrganization(app.ctx, [
        { user: owner, role: 'owner' },
        { user: admin, role: 'admin' },
        { user: await buildUser(app.ctx), role: 'member' },
        { user: await buildUser(app.ctx), role: 'viewer' },
      ])
    ).id
    serverId = (await buildServer(app.ctx, organizationId, { name: 'Host https://evil.example' })).id
    earlier = app.mails.length
  })

  const compare = async () => {
    await compareAlerts(app.ctx)
    await app.finished()
  }
  const newMails = () => app.mails.slice(earlier).map(({ to, subject }) => `${to}: ${subject}`)
  const toBoth = (subject: string) => [`${owner.email}: ${subject}`, `${admin.email}: ${subject}`]
  const note = async (isReached: boolean) => {
    createReachabilityRecorder(app.ctx)(serverId, isReached)
    await app.finished()
  }

  test('a server that is unreachable for five minutes raises one alert, and one mail when it returns', async () => {
    await note(true)
    await note(false)
    await compare()
    expect(newMails()).toEqual([])
    app.moveClock(5 * MINUTE)
    await note(false)
    await Promise.all([compareAlerts(app.ctx), compareAlerts(app.ctx)])
    await compare()
    expect(newMails()).toEqual(toBoth('A server is out of reach'))
    const mail = app.mails.at(-1)
    expect(mail?.text).toContain('"Host https[:]//evil[.]example"')
    expect(mail?.text).toContain(`https://ship.example.com/organizations/${organizationId}/servers`)
    expect(mail?.html.match(/<a /g)).toHaveLength(1)
    app.moveClock(DAY)
    await compare()
    await note(true)
    await compare()
    await compare()
    expect(newMails().slice(2)).toEqual(toBoth('A server answers again'))
  })

  test('an administrator who is locked out for lack of two-factor codes gets no mail', async () => {
    const factor = { user_id: owner.id, key_id: 'key', secret_sealed: 'sealed', created_at: 1, confirmed_at: 1 }
    await app.ctx.db.insertInto('second_factors').values(factor).execute()
    const required = app.ctx.db.updateTable('organizations').set({ require_two_factor: 1 })
    await required.where('id', '=', organizationId).execute()
    await note(true)
    await note(false)
    app.moveClock(5 * MINUTE)
    await compare()
    expect(newMails()).toEqual([`${owner.email}: A server is out of reach`])
    await note(true)
    await compare()
    expect(newMails()).toHaveLength(2)
  })

  test('a server that never responded raises no alert', async () => {
    await note(false)
    app.moveClock(DAY)
    await compare()
    expect(newMails()).toEqual([])
  })

  test('a server that is deleted while unreachable, or is another machine now, sends no further mail', async () => {
    await note(true)
    await note(false)
    app.moveClock(DAY)
    await compare()
    const path = `/api/servers/${serverId}`
    expect((await app.call('PATCH', path, { as: owner, body: { hostname: 'other.example.com' } })).status).toBe(200)
    await compare()
    expect(newMails()).toEqual(toBoth('A server is out of reach'))
    expect(await app.ctx.db.selectFrom('alerts').where('resolved_at', 'is', null).selectAll().execute()).toEqual([])
  })

  test('a disk raises an alert when almost full and ends it when it has room again; around the limit nothing happens', async () => {
    const measure = (free: number) =>
      updateServerDisk(app.ctx.db, { serverId, freeBytes: Math.round(free * GIB), totalBytes: 100 * GIB })
    for (const free of [20, 4, 3, 5.5, 4.9, 6]) {
      await measure(free)
      await compare()
    }
    expect(newMails()).toEqual(toBoth('The disk of a server is almost full'))
    await measure(7)
    await compare()
    expect(newMails().slice(2)).toEqual(toBoth('The disk of a server has room again'))
  })

  test('a certificate raises an alert before it ends, and ends it when renewed', async () => {
    const project = await buildProject(app.ctx, { organizationId, ownerId: owner.id })
    const { id } = await buildCertificate(app.ctx, project.id)
    const update = (left: number) =>
      app.ctx.db
        .updateTable('certificates')
        .set({ not_before: app.ctx.clock() - 60 * DAY, not_after: app.ctx.clock() + left * DAY })
        .where('id', '=', id)
        .execute()
    await update(20)
    await compare()
    expect(newMails()).toEqual([])
    app.moveClock(7 * DAY)
    await compare()
    await compare()
    expect(newMails()).toEqual(toBoth('A certificate is about to end'))
    await update(90)
    await compare()
    expect(newMails().slice(2)).toEqual(toBoth('A certificate was renewed'))
  })

  test('what was deleted since a rule has found it raises no alert', async () => {
    const project = await buildProject(app.ctx, { organizationId, ownerId: owner.id })
    const removed = await buildEnvironment(app.ctx, project, { removed_at: app.ctx.clock() })
    const facts = { project: 'Shop', environment: 'gone', service: 'web', page: '/', isMailed: true } as const
    for (const environmentId of [removed.id, 999_999_999]) {
      const alert = { rule: 'oom_kill', targetId: environmentId, organizationId, environmentId, ...facts } as const
      const key = { rule: 'oom_kill', targetId: environmentId, service: 'web' } as const
      await raiseAlert(app.ctx, { alert, key, isSilenced: false })
    }
    const about = { rule: 'server_unreachable', targetId: 1, organizationId: 999_999_999, server: 'gone' } as const
    const alert = { ...about, since: 1, page: '/', isMailed: true } as const
    const key = { rule: 'server_unreachable', targetId: 1, service: '' } as const
    await raiseAlert(app.ctx, { alert, key, isSilenced: false })
    await app.finished()
    expect(newMails()).toEqual([])
    expect(await app.ctx.db.selectFrom('alerts').where('page', '=', '/').selectAll().execute()).toEqual([])
  })

  test('a failed backup alerts platform administrators, until one succeeds', async () => {
    const boss = await buildUser(app.ctx, { is_platform_admin: 1 })
    await updateLastBackup(app.ctx.db, { at: app.ctx.clock(), bytes: 1 })
    await compare()
    for (const failure of ['No space left', 'Still no space left']) {
      await updateLastBackup(app.ctx.db, { at: app.ctx.clock(), failure })
      await compare()
    }
    await updateLastBackup(app.ctx.db, { at: app.ctx.clock(), bytes: 1 })
    await compare()
    await compare()
    const own = newMails().filter((line) => line.startsWith(boss.email))
    expect(own).toEqual([
      `${boss.email}: The backup of the platform failed`,
      `${boss.email}: The backup of the platform works again`,
    ])
    expect(newMails().join()).not.toContain(owner.email)
  })

  test('one receiver gets at most twenty an hour', async () => {
    for (let count = 0; count < 25; count++) {
      const { id } = await buildServer(app.ctx, organizationId)
      createReachabilityRecorder(app.ctx)(id, true)
      await updateServerDisk(app.ctx.db, { serverId: id, freeBytes: 1, totalBytes: GIB })
    }
    await app.finished()
    await compare()
    expect(newMails().filter((line) => line.startsWith(owner.email))).toHaveLength(20)
  })
})
