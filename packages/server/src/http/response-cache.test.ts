// Answers that are kept are never old and never another's.
import { describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildRunningTask,
  buildServer,
  buildSession,
  buildTask,
  buildToken,
  buildUser,
  type TestUser,
} from '../../test/factories.ts'
import { quietChanges } from '../../test/quiet-changes.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { stageMembers, stageProject } from '../../test/stage/stage-members.ts'
import { openTestApp } from '../../test/test-app.ts'
import type { Context } from '../context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { createMissingSshAuthorities } from '../operations/access/create-ssh-authority.ts'
import { appendOutput, beginStep, endTask } from '../progress/progress.ts'
import { digestOf } from '../secrets/token.ts'
import { openDatabase } from '../store/database.ts'
import { insertJournal } from '../store/journal.ts'
import { insertMail } from '../store/mails/mails.ts'
import { insertStored } from '../store/repository-events/inbox.ts'

describe.each(databases)('kept answers on $name', (source) => {
  const app = stageApp(source)
  const { owner, organization } = stageMembers(app, { owner: 'owner' })

  const names = async (as: TestUser, headers: Record<string, string> = {}): Promise<string[]> => {
    const answer = await app.call('GET', '/api/servers', { as, headers })
    return answer.body.map((server: { name: string }) => server.name)
  }

  test('asked twice, the answer and its headers are the same', async () => {
    for (let count = 0; count < 3; count++) await buildServer(app.ctx, organization.id)
    const [first, second] = [
      await app.call('GET', '/api/servers?limit=2', { as: owner }),
      await app.call('GET', '/api/servers?limit=2', { as: owner }),
    ]
    expect(second).toMatchObject({ status: 200, text: first.text })
    expect(second.headers.link).toBe(first.headers.link)
    expect(second.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  test('a change shows at once', async () => {
    const server = await buildServer(app.ctx, organization.id, { name: 'Before' })
    expect(await names(owner)).toContain('Before')
    await app.call('PATCH', `/api/servers/${server.id}`, { as: owner, body: { name: 'After' } })
    expect(await names(owner)).toContain('After')
    expect(await names(owner)).not.toContain('Before')
    await app.call('DELETE', `/api/servers/${server.id}`, { as: owner })
    expect(await names(owner)).not.toContain('After')
  })

  test('a change that was rolled back leaves no trace', async () => {
    const expected = await names(owner)
    const failing = app.ctx.db.transaction().execute(async (db) => {
      await buildServer({ db, clock: app.ctx.clock }, organization.id, { name: 'Never' })
      throw new Error('back')
    })
    await expect(failing).rejects.toThrow('back')
    expect(await names(owner)).toEqual(expected)
  })

  test('what a task does shows in the list of environments', async () => {
    const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: owner.id })
    const environment = await buildEnvironment(app.ctx, project)
    const locked = async () =>
      (await app.call('GET', `/api/projects/${project.id}/environments`, { as: owner })).body[0].locked
    expect(await locked()).toBe(false)
    await buildTask(app.ctx, environment.id)
    expect(await locked()).toBe(true)
  })

  test('a user never gets an answer made for another user, or for the same user with other roles', async () => {
    const stranger = await buildUser(app.ctx)
    await buildOrganization(app.ctx, [{ user: stranger, role: 'owner' }])
    expect(await names(owner)).not.toEqual([])
    expect(await names(stranger)).toEqual([])
    const second = await buildOrganization(app.ctx, [{ user: owner, role: 'viewer' }])
    expect(await names(owner)).not.toEqual([])
    expect(await names(owner, { 'x-service-organization': String(second.id) })).toEqual([])
    await app.ctx.db.deleteFrom('memberships').where('organization_id', '=', organization.id).execute()
    expect(await names(owner)).toEqual([])
  })
})

describe.each(databases)('a token whose answers are kept on $name', (source) => {
  test('is refused once it has ended, was revoked, or asks too often', async () => {
    const app = await openTestApp(source, { apiRequestsPerMinute: 5 })
    const user = await buildUser(app.ctx)
    await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const token = await buildToken(app.ctx, user.id, { expires_at: app.ctx.clock() + 30_000 })
    const status = async (as: string) => (await app.call('GET', '/api/servers', { as: { token: as } })).status
    expect([await status(token), await status(token)]).toEqual([200, 200])
    app.moveClock(30_000)
    expect(await status(token)).toBe(401)
    expect([await status(user.token), await status(user.token)]).toEqual([200, 200])
    await app.ctx.db.updateTable('personal_tokens').set({ revoked_at: app.ctx.clock() }).execute()
    expect(await status(user.token)).toBe(401)
    const another = await buildToken(app.ctx, user.id)
    app.moveClock(60_000)
    const statuses = []
    for (let count = 0; count < 6; count++) statuses.push(await status(another))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    await app.close()
  })
})

describe.each(databases)('a session whose answers are kept on $name', (source) => {
  const app = stageApp(source)

  async function signedIn() {
    const user = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    await buildServer(app.ctx, organization.id, { name: `Of ${user.name}` })
    return { user, organization, session: await buildSession(app.ctx, user.id) }
  }
  const ask = (headers: Record<string, string>) => app.call('GET', '/api/servers', { headers })
  const statuses = async (headers: Record<string, string>) => [(await ask(headers)).status, (await ask(headers)).status]
  const ours = { origin: 'https://ship.example.com' }

  test('is refused at once after signing out, here or everywhere', async () => {
    const { user, session } = await signedIn()
    const other = await buildSession(app.ctx, user.id)
    expect([await statuses(session), await statuses(other)]).toEqual([
      [200, 200],
      [200, 200],
    ])
    const signOut = (body: unknown) => app.call('DELETE', '/api/session', { headers: { ...session, ...ours }, body })
    expect((await signOut({})).status).toBe(204)
    expect(await statuses(session)).toEqual([401, 401])
    expect((await ask(other)).status).toBe(200)
    const everywhere = { headers: { ...other, ...ours }, body: { everywhere: true } }
    expect((await app.call('DELETE', '/api/session', everywhere)).status).toBe(204)
    expect(await statuses(other)).toEqual([401, 401])
  })

  test('sees changes of records and roles at once', async () => {
    const { user, organization, session } = await signedIn()
    const names = async () => (await ask(session)).body.map((server: { name: string }) => server.name)
    expect([await names(), await names()]).toEqual([[`Of ${user.name}`], [`Of ${user.name}`]])
    await buildServer(app.ctx, organization.id, { name: 'New' })
    expect(await names()).toEqual(['New', `Of ${user.name}`])
    await app.ctx.db.deleteFrom('memberships').where('user_id', '=', user.id).execute()
    expect(await names()).toEqual([])
  })

  test('is counted, and cannot be used for changes by other pages', async () => {
    const { session } = await signedIn()
    const left = async () => /r=(\d+)/.exec(String((await ask(session)).headers.ratelimit))?.[1]
    const [first, second] = [await left(), await left()]
    expect(Number(second)).toBe(Number(first) - 1)
    const headers = { ...session, origin: 'https://evil.example' }
    const body = { name: 'Mine', hostname: 'mine.example.com' }
    const refused = await app.call('POST', '/api/servers', { headers, body })
    expect(refused).toMatchObject({ status: 403, body: { code: 'cross_origin_refused' } })
  })
})

describe.each(databases)('answers of sessions on $name that never heard of a change', (source) => {
  // What is kept now stays good as far as the records go: only the caller and the clock are left to end it.
  const app = stageApp(source, {}, { recordsVersion: async () => 'the same for ever' })

  async function signedIn(columns: Parameters<typeof buildSession>[2] = {}) {
    const user = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    await buildServer(app.ctx, organization.id, { name: `Of ${user.name}` })
    return { user, organization, session: await buildSession(app.ctx, user.id, columns) }
  }
  const ask = (headers: Record<string, string>) => app.call('GET', '/api/servers', { headers })
  const rename = () => app.ctx.db.updateTable('servers').set({ name: 'Renamed' }).execute()
  const namesOf = ({ body }: Awaited<ReturnType<typeof ask>>) => body.map(({ name }: { name: string }) => name)

  test('are given again, byte for byte', async () => {
    const { user, session } = await signedIn()
    const first = await ask(session)
    await rename()
    expect(namesOf(first)).toEqual([`Of ${user.name}`])
    expect(await ask(session)).toMatchObject({ status: 200, text: first.text })
    const beside = `theme=dark; ${session.cookie}; other=1`
    expect(await ask({ cookie: beside })).toMatchObject({ status: 200, text: first.text })
    expect(await ask({ ...session, authorization: '' })).toMatchObject({ status: 200, text: first.text })
  })

  test('are not given to another session, not even of the same user, nor to a token beside the cookie', async () => {
    const { user, session } = await signedIn()
    const other = await signedIn()
    expect(namesOf(await ask(session))).toEqual([`Of ${user.name}`])
    await rename()
    expect(namesOf(await ask(await buildSession(app.ctx, user.id)))).toEqual(['Renamed'])
    expect(namesOf(await ask(other.session))).toEqual(['Renamed'])
    const stranger = await buildUser(app.ctx)
    const withToken = { ...session, authorization: `Bearer ${stranger.token}` }
    expect(namesOf(await ask(withToken))).toEqual([])
    expect(namesOf(await ask({ ...session, authorization: `Bearer ${user.token}` }))).toEqual(['Renamed'])
    expect(await ask({ ...session, authorization: 'Bearer null' })).toMatchObject({ status: 401 })
    expect(namesOf(await ask(session))).toEqual([`Of ${user.name}`])
  })

  test('are not given to a caller without the cookie, with two, with another name, or from a foreign page', async () => {
    const { session } = await signedIn()
    const { session: second } = await signedIn()
    expect((await ask(session)).status).toBe(200)
    const [name = '', token = ''] = session.cookie.split('=')
    const foreign: Record<string, string>[] = [
      {},
      { cookie: '' },
      { cookie: `${session.cookie}; ${session.cookie}` },
      { cookie: `${session.cookie}; ${second.cookie}` },
      { cookie: `${second.cookie};${session.cookie}` },
      { cookie: `shipway_session=${token}` },
      { cookie: `${name.toLowerCase()}=${token}` },
      { cookie: `${name}=${token}x` },
      { cookie: `${name}=${token.toUpperCase()}` },
      { authorization: `Bearer ${token}` },
      { ...session, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' },
      { ...session, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' },
      { ...session, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' },
    ]
    for (const headers of foreign) {
      const answer = await ask(headers)
      expect(answer.status, JSON.stringify(Object.keys(headers))).toBe(401)
      expect(answer.text).not.toContain('Of ')
    }
    expect((await ask({ ...session, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  test('are those of the organization that the header names', async () => {
    const { user, organization, session } = await signedIn()
    const second = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
    const foreign = await buildOrganization(app.ctx)
    const within = (id: number | string) => ask({ ...session, 'x-service-organization': String(id) })
    expect(namesOf(await ask(session))).toEqual([`Of ${user.name}`])
    expect(namesOf(await within(second.id))).toEqual([])
    expect(namesOf(await within(organization.id))).toEqual([`Of ${user.name}`])
    expect([(await within(foreign.id)).status, (await within('x')).status]).toEqual([404, 400])
    expect(namesOf(await ask(session))).toEqual([`Of ${user.name}`])
  })

  test('end with the session: by its age, and when it was not used', async () => {
    const end = app.ctx.clock() + 30_000
    const aged = await signedIn({ expires_at: end })
    // The use itself prolongs the session, so what would have been its end is written again.
    const idle = { last_seen_at: end - 14 * 86_400_000, expires_at: end + 86_400_000 }
    const forgotten = await signedIn(idle)
    const statuses = async () => [(await ask(aged.session)).status, (await ask(forgotten.session)).status]
    expect(await statuses()).toEqual([200, 200])
    await app.ctx.db.updateTable('sessions').set(idle).where('user_id', '=', forgotten.user.id).execute()
    app.moveClock(29_999)
    expect(await statuses()).toEqual([200, 200])
    app.moveClock(1)
    expect(await statuses()).toEqual([401, 401])
  })

  test('do not keep the use of a session from being noted', async () => {
    const { user, session } = await signedIn()
    const lastSeen = async () => {
      const row = app.ctx.db.selectFrom('sessions').where('user_id', '=', user.id).select('last_seen_at')
      return (await row.executeTakeFirstOrThrow()).last_seen_at
    }
    for (let count = 0; count < 60; count++) {
      app.moveClock(10_000)
      await ask(session)
      expect(app.ctx.clock() - (await lastSeen())).toBeLessThanOrEqual(120_000)
    }
  })

  test('show no token in the log', async () => {
    const { session } = await signedIn()
    await ask(session)
    await ask(session)
    const [, token = ''] = session.cookie.split('=')
    expect(app.logLines.join('')).not.toContain(token)
    expect(app.logLines.join('')).not.toContain(digestOf(token))
  })
})

describe.each(databases)('records that the journal does not follow show at once on $name', (source) => {
  const app = stageApp(source)
  const { project, owner } = stageProject(app, { owner: 'owner' })

  test('a delivery that waits for its outcome', async () => {
    const deliveries = async () =>
      (await app.call('GET', `/api/projects/${project.id}/deliveries`, { as: owner })).body.length
    expect([await deliveries(), await deliveries()]).toEqual([0, 0])
    const facts = { deliveryId: 'one', event: 'push', sentBy: null, pullRequestNumber: null, branch: 'main' }
    await insertStored(app.served.db, { projectId: project.id, ...facts, content: '{}', at: 1 })
    expect(await deliveries()).toBe(1)
  })

  test('a mail that waits to be sent', async () => {
    const admin = await buildUser(app.ctx, { is_platform_admin: 1 })
    const waiting = async () => (await app.call('GET', '/api/platform', { as: admin })).body.mails.waiting
    expect([await waiting(), await waiting()]).toEqual([0, 0])
    const mail = { key: 'one', kind: 'alert', sealed: 'sealed', lifeMs: 60_000 } as const
    await quietChanges(app.served.db)(PLATFORM, (tx) => insertMail(tx, mail))
    expect(await waiting()).toBe(1)
  })

  test('the key of an organization that its set-up lines name', async () => {
    await buildServer(app.ctx, project.organization_id, { connection: 'ssh', name: 'Elsewhere' })
    const setUp = async () => (await app.call('GET', '/api/servers', { as: owner })).body[0].setup_command
    const before = await setUp()
    expect(await setUp()).toBe(before)
    await createMissingSshAuthorities(app.served)
    expect(await setUp()).not.toBe(before)
  })
})

describe.each(databases)('the version of the records on $name', (source) => {
  const app = stageApp(source)
  const { project } = stageProject(app, { viewer: 'viewer' })
  const version = () => app.ctx.recordsVersion()
  const changeSomething = (db: Context['db']) =>
    quietChanges(db)(PLATFORM, async (tx) => tx.notify({ about: 'organization', id: 1, how: 'updated' }))

  test('changes with every change by another process, however many ask', async () => {
    const database = await source.open()
    const other = await openDatabase(database.address)
    let last = await database.version()
    for (let round = 0; round < 20; round++) {
      const asked = Array.from({ length: 5 }, () => database.version())
      await changeSomething(other.db)
      const now = await database.version()
      expect(now).not.toBe(last)
      await Promise.all(asked)
      last = now
    }
    expect(await database.version()).toBe(last)
    await other.close()
    await database.drop()
  })

  test('is never that of a change that is rolled back', async () => {
    const before = await version()
    let during: string | undefined
    const failing = app.ctx.change(PLATFORM, async (tx) => {
      await insertJournal(tx, [{ about: 'organization', id: 1, how: 'updated' }], 1)
      during = await version()
      throw new Error('back')
    })
    await expect(failing).rejects.toThrow('back')
    // SQLite has one connection, on which the open transaction would show.
    expect(during).toBe(source.name === 'embedded' ? undefined : before)
    expect(await version()).toBe(before)
  })

  test('stays as it is while a task prints, and changes when the task ends', async () => {
    const lease = await buildRunningTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)
    await beginStep(app.ctx, lease, { position: 1, phase: 'Build', name: 'Print', key: 'print' })
    const before = await version()
    for (const readBytes of [7, 14, 21])
      await appendOutput(app.ctx, lease, { position: 1, bytes: Buffer.from('line 1\n'), readBytes })
    expect(await version()).toBe(before)
    await endTask(app.ctx, lease, { status: 'succeeded' })
    expect(await version()).not.toBe(before)
  })
})
