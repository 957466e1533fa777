// A database that is busy, full or gone is no bug of ours: every route says 503 and when to come back, and none says 500.
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type RouteName, routes } from '@shipway/api/routes'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { databases } from '../../test/databases.ts'
import { postForm } from '../../test/device-flow.ts'
import { buildServer, buildUser } from '../../test/factories.ts'
import { arrange, everyRecord } from '../../test/permissions/callers.ts'
import { requestFor } from '../../test/permissions/requests.ts'
import { buildTestApp, type TestAnswer, type TestApp } from '../../test/test-app.ts'
import { type DatabaseAddress, openDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { handlers } from './handlers/handlers.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

const unavailable = (code = 'unavailable', retryAfter = '5') => ({
  status: 503,
  headers: { 'retry-after': retryAfter, 'content-type': 'application/problem+json; charset=utf-8' },
  body: { code },
})

/** The application on a database of its own, opened by that address. */
async function openAppOn(address: DatabaseAddress): Promise<TestApp> {
  const database = await openDatabase(address)
  const app = await buildTestApp({ ...database, drop: database.close }, {}, {})
  ends.push(app.close)
  return app
}

async function buildRecords(app: TestApp) {
  const { caller, ids } = await arrange(app.ctx, 'owner', 'own', { isProtected: false, wanted: everyRecord })
  if (!caller) throw new Error('An owner has an account')
  return { owner: caller, ids, environment: `/api/environments/${ids.environments}` }
}

type BuiltRecords = Awaited<ReturnType<typeof buildRecords>>

describe.each(databases.filter(({ name }) => name === 'postgres'))('on $name', (source) => {
  const openAddress = async () => {
    const { address, drop, close } = await source.open()
    ends.push(drop)
    return { ...address, close }
  }

  test('no connection to be had is 503 in every route', async () => {
    const address = await openAddress()
    // Less patience than a busy machine may need for the first connection, which stays.
    const impatient = { ...address, pool: { most: 1, connectTimeoutMs: 50 } }
    const app = await vi.waitFor(() => openAppOn(impatient), { timeout: 120_000 })
    const records = await buildRecords(app)
    const hold = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const holding = app.ctx.db.connection().execute(async () => {
      held.resolve()
      await hold.promise
    })
    await held.promise
    expect(await everyAnswer(app, records)).toEqual([])
    hold.resolve()
    await holding
    expect((await app.call('GET', records.environment, { as: records.owner })).status).toBe(200)
    expect(app.logLines.join('')).toContain('request cannot be answered now')
  })

  test('a database that is gone is 503, and back again nothing more', async () => {
    const { url = '', ...address } = await openAddress()
    const road = await openRoad(new URL(url))
    const app = await openAppOn({ ...address, url: road.url, pool: { connectTimeoutMs: 2_000 } })
    const records = await buildRecords(app)
    await road.close()
    expect(await everyAnswer(app, records)).toEqual([])
    const token = await postForm(app, '/oauth/token', {
      client_id: 'shipway-cli',
      grant_type: 'refresh_token',
      refresh_token: 'shw_rt_any',
    })
    expect(token).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(token.body.error).toBe('temporarily_unavailable')
    await road.open()
    expect((await app.call('GET', records.environment, { as: records.owner })).status).toBe(200)
  })

  test('a statement that is canceled, as it is at its time limit, is 503; a task says that none was made', async () => {
    const address = await openAddress()
    const app = await openAppOn(address)
    const records = await buildRecords(app)
    const other = await openDatabase(address)
    ends.push(other.close)
    const tasks = `${records.environment}/tasks`
    const canceled = async (method: 'POST' | 'PATCH', path: string) => {
      const answer = await other.db.transaction().execute(async (db) => {
        await sql`lock table environments, tasks`.execute(db)
        const answer = app.call(method, path, { as: records.owner, body: {} })
        await cancelWaiting(other)
        return answer
      })
      return answer
    }
    expect(await canceled('POST', tasks)).toMatchObject(unavailable('task_not_created'))
    expect(await canceled('PATCH', records.environment)).toMatchObject(unavailable())
    expect((await app.call('POST', tasks, { as: records.owner, body: {} })).status).toBe(201)
  })

  test('what comes to be used while it is being deleted is 503, and asked again a conflict', async () => {
    const address = await openAddress()
    const app = await openAppOn(address)
    const { owner, ids } = await buildRecords(app)
    const other = await openDatabase(address)
    ends.push(other.close)
    const { id } = await buildServer(app.ctx, ids.organizations)
    const remove = () => app.call('DELETE', `/api/servers/${id}`, { as: owner })
    let removing: Promise<TestAnswer> | undefined
    await app.ctx.db.transaction().execute(async (db) => {
      await db.insertInto('project_servers').values({ project_id: ids.projects, server_id: id, position: 7 }).execute()
      removing = remove()
      await untilOneWaits(other)
    })
    expect(await removing).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { code: 'unavailable' },
    })
    expect((await remove()).status).toBe(409)
  })

  // The embedded database runs one transaction after the other.
  test.each([
    { how: 'silenced', path: 'silence', body: { until: null } },
    { how: 'watched', path: 'watch', body: undefined },
  ])('an environment that is $how while it is deleted is not found', async ({ path, body }) => {
    const address = await openAddress()
    const app = await openAppOn(address)
    const { owner, ids, environment } = await buildRecords(app)
    const other = await openDatabase(address)
    ends.push(other.close)
    let changing: Promise<TestAnswer> | undefined
    await app.ctx.db.transaction().execute(async (db) => {
      await db.deleteFrom('projects').where('id', '=', ids.projects).execute()
      changing = app.call('PUT', `${environment}/${path}`, { as: owner, body })
      await untilOneWaits(other)
    })
    expect(await changing).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

test('a full disk is 503 on the embedded database, and room again nothing more', async () => {
  const { app, dataFolder, owner } = await openEmbedded()
  const { page_count: pages } =
    new DatabaseSync(join(dataFolder, 'shipway.db')).prepare('pragma page_count').get() ?? {}
  await sql`pragma max_page_count = ${sql.lit(Number(pages))}`.execute(app.ctx.db)
  const create = (name: string) => app.call('POST', '/api/organizations', { as: owner, body: { name } })
  const answers: TestAnswer[] = []
  for (let count = 0; count < 300 && answers.at(-1)?.status !== 503; count++) answers.push(await create('x'.repeat(90)))
  expect(answers.at(-1)).toMatchObject(unavailable('unavailable', '30'))
  await sql`pragma max_page_count = 1000000`.execute(app.ctx.db)
  expect((await create('Room')).status).toBe(201)
})

test('an embedded database that another process locks is 503', async () => {
  const { app, dataFolder, owner } = await openEmbedded()
  await sql`pragma busy_timeout = 0`.execute(app.ctx.db)
  const other = new DatabaseSync(join(dataFolder, 'shipway.db'))
  other.exec('begin immediate')
  const body = { name: 'Anything' }
  expect(await app.call('POST', '/api/organizations', { as: owner, body })).toMatchObject(unavailable())
  other.exec('rollback')
  other.close()
  expect((await app.call('POST', '/api/organizations', { as: owner, body })).status).toBe(201)
})

async function openEmbedded() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'shipway-unavailable-'))
  ends.push(() => rm(dataFolder, { recursive: true }))
  const database = await openDatabase({ dataFolder })
  await migrate(database)
  const app = await buildTestApp({ ...database, drop: database.close }, {}, {})
  ends.push(app.close)
  return { app, dataFolder, owner: await buildUser(app.ctx, { is_platform_admin: 1 }) }
}

/** What is not as it should be of the answers of every route. A public one may find a fault before it asks the database. */
async function everyAnswer(app: TestApp, { owner, ids }: BuiltRecords): Promise<string[]> {
  const bound = Object.keys(routes).filter((name): name is RouteName => Object.hasOwn(handlers, name))
  // There is no token, session or other user to delete here; `deleteOrganization` is like them.
  const names = bound.filter(
    (name) => !['deleteToken', 'deleteSession', 'deleteUser', 'deleteUserSession'].includes(name),
  )
  const faults: string[] = []
  for (const name of names) {
    const { permission, method } = routes[name]
    const { url, body, headers } = requestFor(name, ids)
    const answer = await app.call(method, url, { as: permission === 'public' ? undefined : owner, body, headers })
    const isSaid = answer.status === 503 && answer.headers['retry-after'] === '5'
    if (permission === 'public' ? answer.status === 500 : !isSaid) faults.push(`${name}: ${answer.text}`)
  }
  return faults
}

/** Ends the statement that waits for a lock, once there is one. */
async function cancelWaiting({ db }: Awaited<ReturnType<typeof openDatabase>>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ pid: number }>`
      select pg_cancel_backend(pid) as done, pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows.length > 0) return
  }
}

async function untilOneWaits({ db }: Awaited<ReturnType<typeof openDatabase>>): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1)
}

/** The way to the database, which can be closed and opened again. */
async function openRoad(address: URL) {
  const sockets = new Set<Socket>()
  const server = createServer((from) => {
    const to = connect(Number(address.port), address.hostname)
    for (const socket of [from, to]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    }
    from.pipe(to).pipe(from)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const own = server.address()
  if (own === null || typeof own === 'string') throw new Error('It listens at no port')
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  ends.push(close)
  const url = Object.assign(new URL(address), { port: String(own.port), search: '' }).href
  return { url, close, open: () => listen(own.port) }
}
