import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type TestDatabase } from '../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildStep,
  buildTask,
  buildUser,
} from '../../test/factories.ts'
import { makeFolder, runServer } from '../../test/maintenance/command-runs.ts'
import { startChild } from '../../test/processes/child.ts'
import { readConfig } from '../config.ts'
import { hookSecretContext, mailContext } from '../domain/encryption-context.ts'
import { createBox } from '../secrets/box.ts'
import { Secret } from '../secrets/secret.ts'
import { sealCanary } from '../secrets/verify-master-key.ts'
import { refuseUnfinishedRestore, updateUnfinishedRestore } from '../store/backup/restored.ts'
import { type DatabaseAddress, openDatabase } from '../store/database.ts'
import { variableContext } from '../store/environments/variables.ts'
import { migrate, readMigrations } from '../store/migrate.ts'
import { findSetting, updateSetting } from '../store/settings.ts'
import { checkRecords } from './doctor/check-records.ts'

const KEY = randomBytes(32)
const MASTER_KEY = KEY.toString('base64')
const box = createBox(new Secret<Uint8Array>(KEY))

const settingsOf = ({ url, dataFolder }: DatabaseAddress) => ({
  SHIPWAY_DATA: dataFolder,
  SHIPWAY_MASTER_KEY: MASTER_KEY,
  ...(url !== undefined && { DATABASE_URL: url }),
})

/** A database with something of everything that a restore has to think of. */
async function fillDatabase({ db }: TestDatabase) {
  const records = { db, clock: Date.now }
  const owner = await buildUser(records)
  const organization = await buildOrganization(records, [{ user: owner, role: 'owner' }])
  const server = await buildServer(records, organization.id)
  const project = await buildProject(records, {
    organizationId: organization.id,
    ownerId: owner.id,
    serverId: server.id,
  })
  const environments = await Promise.all(
    [1, 2, 3].map((number) => buildEnvironment(records, project, { name: `env-${number}` })),
  )
  const [first, second, third] = environments
  if (!first || !second || !third) throw new Error('There are three')
  const running = await buildTask(records, first.id, {
    status: 'running',
    started_at: 1,
    lease_until: Date.now() + 60_000,
    output_bytes: 4,
  })
  await buildStep(records, running.id, { status: 'running', position: 1 })
  const switched = await buildTask(records, second.id, { status: 'running', started_at: 1, switched_at: 2 })
  const queued = await buildTask(records, third.id)
  await db
    .insertInto('outputs')
    .values({ task_id: running.id, output_from: 0, bytes: Buffer.from([0, 255, 10, 128]) })
    .execute()
  const place = variableContext({ kind: 'environment', id: first.id }, 'KEY')
  const value_sealed = box.seal('the value of "KEY"\n', place)
  await db
    .insertInto('variables')
    .values({ environment_id: first.id, key: 'KEY', value_sealed, updated_at: 1, updated_by: owner.id })
    .execute()
  const delivery = { project_id: project.id, delivery_id: 'one', event: 'push', received_at: 1, content: '{}' }
  await db
    .insertInto('deliveries')
    .values({ ...delivery, verdict: 'stored' })
    .execute()
  const mail_sealed = box.seal('{}', mailContext('mail'))
  const times = { created_at: 1, updated_at: 1 }
  await db
    .insertInto('mails')
    .values({ key: 'mail', kind: 'alert', mail_sealed, next_at: 0, expires_at: Date.now() * 2, created_at: 1 })
    .execute()
  const secret_sealed = box.seal('secret', hookSecretContext('seal'))
  const hook = await db
    .insertInto('hooks')
    .values({
      project_id: project.id,
      url: 'https://example.com/',
      events: '[]',
      seal_id: 'seal',
      secret_sealed,
      ...times,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const message = await db
    .insertInto('hook_messages')
    .values({ project_id: project.id, message_id: 'msg', event: 'hook.test', body: '{}', created_at: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('hook_deliveries').values({ hook_id: hook.id, message_id: message.id, created_at: 1 }).execute()
  await updateSetting(db, 'canary', sealCanary(box))
  return { running, switched, queued, environment: first, place, value_sealed }
}

describe.each(databases)('a backup of $name', ({ name, open }) => {
  let source: Awaited<ReturnType<typeof open>>
  let filled: Awaited<ReturnType<typeof fillDatabase>>
  const folder = makeFolder()
  const file = join(folder.path, 'one.backup')

  beforeAll(async () => {
    source = await open()
    filled = await fillDatabase(source)
    expect(await runServer(settingsOf(source.address), ['backup', file])).toMatchObject({ exitCode: 0 })
  })
  afterAll(async () => {
    await source.drop()
    folder[Symbol.dispose]()
  })

  test('is one file of its owner that holds neither the key nor a secret', async () => {
    expect(readdirSync(folder.path)).toEqual(['one.backup'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = gunzipSync(readFileSync(file)).toString('utf8')
    expect(text).not.toContain(MASTER_KEY)
    expect(text).not.toContain('the value of')
    const head = JSON.parse(text.slice(0, text.indexOf('\n')))
    expect(head.migrations.map((migration: { name: string }) => migration.name)).toEqual(
      (await readMigrations()).map((migration) => migration.name),
    )
    expect(head.database).toBe(name === 'embedded' ? 'sqlite' : 'postgres')
  })

  test('is remembered with its outcome, and so is one that failed', async () => {
    const again = await runServer(settingsOf(source.address), ['backup', file])
    expect(again).toMatchObject({ exitCode: 1, notes: expect.stringContaining('is there already') })
    const last = JSON.parse((await findSetting(source.db, 'last_backup')) ?? '')
    expect(last).toMatchObject({
      succeeded_at: expect.any(Number),
      failure: expect.stringContaining('is there already'),
    })
  })

  describe.each(databases)('restored into an empty $name', (target) => {
    test('has every row as it was, and ends what was under way', async () => {
      await using place = await openTarget(target)
      const run = await runServer(settingsOf(place.address), ['restore', file])
      expect(run).toMatchObject({ exitCode: 0, notes: expect.stringContaining('resume') })
      expect(run.out).toContain('3 sealed values open')
      const restored = await openDatabase(place.address)
      try {
        await compareTables(source, restored)
        const { running, switched, queued } = filled
        expect(await endsOf(restored, [running.id, switched.id, queued.id])).toEqual([
          { status: 'failed', reason: 'interrupted', message: expect.stringContaining('restored from a backup') },
          { status: 'succeeded', reason: null, message: expect.stringContaining('serves already') },
          { status: 'canceled', reason: 'interrupted', message: expect.stringContaining('Deploy again') },
        ])
        const variable = await restored.db.selectFrom('variables').select('value_sealed').executeTakeFirstOrThrow()
        expect(box.open(variable.value_sealed, filled.place).reveal()).toBe('the value of "KEY"\n')
        const deliveries = await restored.db.selectFrom('deliveries').select(['verdict', 'content']).execute()
        expect(deliveries).toEqual([{ verdict: 'ignored', content: null }])
        expect(await restored.db.selectFrom('mails').select('id').execute()).toEqual([])
        const hookDeliveries = await restored.db.selectFrom('hook_deliveries').select(['status', 'error']).execute()
        expect(hookDeliveries).toEqual([{ status: 'failed', error: expect.stringContaining('restored from a backup') }])
        const taken = await restored.db.selectFrom('delivery_ids').select(['delivery_id', 'took_effect']).execute()
        expect(taken).toEqual([{ delivery_id: 'one', took_effect: 1 }])
        const task = await buildTask({ db: restored.db, clock: Date.now }, filled.environment.id, { status: 'queued' })
        expect(task.id).toBeGreaterThan(queued.id + 1000)
      } finally {
        await restored.close()
      }
    })

    test('is refused where something is there already', async () => {
      await using place = await openTarget(target)
      expect(await runServer(settingsOf(place.address), ['restore', file])).toMatchObject({ exitCode: 0 })
      const again = await runServer(settingsOf(place.address), ['restore', file])
      expect(again).toMatchObject({ exitCode: 1, notes: expect.stringContaining('overwrites nothing') })
    })
  })

  test('that was cut off, changed or made with another key is refused before anything is written', async () => {
    const bytes = readFileSync(file)
    const text = gunzipSync(bytes).toString('utf8')
    const lines = text.trimEnd().split('\n')
    const files: Record<string, Buffer> = {
      'cut-off': bytes.subarray(0, bytes.length - 20),
      'cut-at-a-line': gzipSync(`${lines.slice(0, -1).join('\n')}\n`),
      'row-gone': gzipSync(`${lines.filter((line) => !line.includes('"env-2"')).join('\n')}\n`),
      renamed: gzipSync(text.replace('"env-2"', '"env-9"')),
      'with-more': gzipSync(`${text}["one",1]\n`),
      'no-gzip': Buffer.from('hello'),
      empty: Buffer.alloc(0),
    }
    for (const [name, content] of Object.entries(files)) {
      const altered = join(folder.path, name)
      writeFileSync(altered, content)
      using place = makeFolder()
      const run = await runServer(settingsOf({ dataFolder: place.path }), ['restore', altered])
      expect([name, run.exitCode, run.notes]).toEqual([name, 1, expect.stringMatching(/another one|not a backup/)])
      expect(readdirSync(place.path)).toEqual([])
    }
    using place = makeFolder()
    const other = { SHIPWAY_DATA: place.path, SHIPWAY_MASTER_KEY: randomBytes(32).toString('base64') }
    const run = await runServer(other, ['restore', file])
    expect(run).toMatchObject({ exitCode: 1, notes: expect.stringContaining('another master key') })
    expect(readdirSync(place.path)).toEqual([])
  })
})

test('a backup with the key restores where there is none, and one without says what is missing', async () => {
  const source = await databases[0]?.open()
  if (!source) throw new Error('There is an embedded one')
  using folder = makeFolder()
  await fillDatabase(source)
  const [withKey, without] = [join(folder.path, 'with'), join(folder.path, 'without')]
  await runServer(settingsOf(source.address), ['backup', withKey, '--with-key'])
  await runServer(settingsOf(source.address), ['backup', without])
  await source.drop()
  const place = { SHIPWAY_DATA: join(folder.path, 'data') }
  const refused = await runServer(place, ['restore', without])
  expect(refused).toMatchObject({ exitCode: 1, notes: expect.stringContaining('no master key in it') })
  expect(existsSync(place.SHIPWAY_DATA)).toBe(false)
  expect(await runServer(place, ['restore', withKey])).toMatchObject({ exitCode: 0 })
  const keyFile = join(place.SHIPWAY_DATA, 'master.key')
  expect(readFileSync(keyFile, 'utf8').trim()).toBe(MASTER_KEY)
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  expect(await runServer(place, ['resume'])).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('by itself again'),
  })
  truncateSync(withKey, 10)
  expect(await runServer(place, ['restore', withKey])).toMatchObject({ exitCode: 1 })
})

test('a restore that was killed leaves nothing behind once the next one has run', async () => {
  const source = await databases[0]?.open()
  if (!source) throw new Error('There is an embedded one')
  using folder = makeFolder()
  await fillDatabase(source)
  const file = join(folder.path, 'one.backup')
  await runServer(settingsOf(source.address), ['backup', file])
  await source.drop()
  const dataFolder = join(folder.path, 'data')
  // Of an administrator.
  mkdirSync(join(dataFolder, 'restore-backup'), { recursive: true })
  const killed = startChild('restore-and-hang.ts', dataFolder)
  expect(await killed.firstLine).toBe('hanging')
  await killed.kill()
  expect(await runServer(settingsOf({ dataFolder }), ['restore', file])).toMatchObject({ exitCode: 0 })
  expect(readdirSync(dataFolder).sort()).toEqual(['restore-backup', 'shipway.db', 'shipway.lock'])
})

test('a backup that was made after going back to an older version says that it needs the newer one', async () => {
  const source = await databases[0]?.open()
  if (!source) throw new Error('There is an embedded one')
  using folder = makeFolder()
  await updateSetting(source.db, 'canary', sealCanary(box))
  await sql`insert into schema_migrations (version, name, checksum, applied_at)
    values (9999, '9999-later', ${'0'.repeat(64)}, 1)`.execute(source.db)
  const file = join(folder.path, 'one.backup')
  expect(await runServer(settingsOf(source.address), ['backup', file])).toMatchObject({ exitCode: 0 })
  await source.drop()
  const run = await runServer(settingsOf({ dataFolder: join(folder.path, 'data') }), ['restore', file])
  expect(run.exitCode).toBe(1)
  expect(run.notes).toMatch(/the migration 9999-later .*Restore with the newest version that the platform has run/)
  expect(existsSync(join(folder.path, 'data'))).toBe(false)
})

test('the log that a database left behind when it was moved away is not read into the restored one', async () => {
  const source = await databases[0]?.open()
  if (!source) throw new Error('There is an embedded one')
  using folder = makeFolder()
  await fillDatabase(source)
  const file = join(folder.path, 'one.backup')
  await runServer(settingsOf(source.address), ['backup', file])
  // As after a power cut: what was written last is in the log alone.
  await updateSetting(source.db, 'canary', 'of the database that was moved away')
  const data = join(folder.path, 'data')
  mkdirSync(data)
  cpSync(join(source.address.dataFolder, 'shipway.db-wal'), join(data, 'shipway.db-wal'))
  await source.drop()
  const settings = settingsOf({ dataFolder: data })
  const refused = await runServer(settings, ['restore', file])
  expect(refused).toMatchObject({ exitCode: 1, notes: expect.stringContaining('shipway.db-wal has the last records') })
  expect(existsSync(join(data, 'shipway.db'))).toBe(false)
  rmSync(join(data, 'shipway.db-wal'))
  expect(await runServer(settings, ['restore', file])).toMatchObject({ exitCode: 0 })
})

describe.each(databases.filter(({ name }) => name === 'postgres'))('a restore into $name', ({ open, openEmpty }) => {
  const folder = makeFolder()
  const file = join(folder.path, 'one.backup')
  const withKey = join(folder.path, 'with-key.backup')
  const before = join(folder.path, 'before.backup')

  beforeAll(async () => {
    const source = await databases[0]?.open()
    const earlier = await databases[0]?.openEmpty()
    if (!source || !earlier) throw new Error('There is an embedded one')
    await fillDatabase(source)
    await runServer(settingsOf(source.address), ['backup', file])
    await runServer(settingsOf(source.address), ['backup', withKey, '--with-key'])
    await source.drop()
    await migrate(earlier, undefined, 31)
    await updateSetting(earlier.db, 'canary', sealCanary(box))
    await runServer(settingsOf(earlier.address), ['backup', before])
    await earlier.drop()
  })
  afterAll(() => folder[Symbol.dispose]())

  test('is refused where the tables are newer than the backup: its records would stay as they were', async () => {
    const place = await open()
    expect(await runServer(settingsOf(place.address), ['restore', before])).toMatchObject({
      exitCode: 1,
      notes: expect.stringContaining('newer than the backup'),
    })
    expect(await findSetting(place.db, 'canary')).toBe(undefined)
    expect(await runServer(settingsOf(place.address), ['restore', file])).toMatchObject({ exitCode: 0 })
    await place.drop()
  })

  test('is one of two at once: the other one overwrites nothing', async () => {
    const place = await openEmpty()
    const runs = await Promise.all([1, 2].map(() => runServer(settingsOf(place.address), ['restore', file])))
    expect(runs.map(({ exitCode }) => exitCode).toSorted()).toEqual([0, 1])
    expect(runs.map(({ notes }) => notes).join()).toContain('overwrites nothing')
    expect(Number(await findSetting(place.db, 'restored_at'))).toBeGreaterThan(0)
    await place.drop()
  })

  test('leaves no records whose key could not be written', async () => {
    const place = await openEmpty()
    const nowhere = join(folder.path, 'nowhere')
    symlinkSync('missing/folder', nowhere)
    const settings = { DATABASE_URL: place.address.url, SHIPWAY_DATA: nowhere }
    await expect(runServer(settings, ['restore', withKey])).rejects.toThrow('ENOENT')
    const again = { ...settings, SHIPWAY_DATA: join(folder.path, 'data') }
    expect(await runServer(again, ['restore', withKey])).toMatchObject({ exitCode: 0 })
    expect(existsSync(join(again.SHIPWAY_DATA, 'master.key'))).toBe(true)
    await place.drop()
  })
})

test('what a restore that was broken off has left is not let loose by resume, and the doctor says what it is', async () => {
  const half = await databases[0]?.open()
  if (!half) throw new Error('There is an embedded one')
  await fillDatabase(half)
  await updateUnfinishedRestore(half.db)
  const settings = settingsOf(half.address)
  expect(await runServer(settings, ['resume'])).toMatchObject({
    exitCode: 1,
    notes: expect.stringContaining('broken off in the middle'),
  })
  await expect(refuseUnfinishedRestore(half.db)).rejects.toThrow('broken off')
  const findings = await checkRecords({ config: readConfig(settings), clock: Date.now })
  expect(findings.find(({ name }) => name === 'restore')).toMatchObject({ outcome: 'failed' })
  await half.drop()
})

test('there is no backup while the master key is changed, since neither key would open all of it', async () => {
  const source = await databases[0]?.open()
  if (!source) throw new Error('There is an embedded one')
  using folder = makeFolder()
  await fillDatabase(source)
  const { dataFolder } = source.address
  for (const name of ['master.key', 'master.key.next'])
    writeFileSync(join(dataFolder, name), name === 'master.key' ? MASTER_KEY : randomBytes(32).toString('base64'), {
      mode: 0o600,
    })
  const settings = { SHIPWAY_DATA: dataFolder }
  const words = ['backup', join(folder.path, 'one.backup')]
  expect(await runServer(settings, words)).toMatchObject({
    exitCode: 1,
    notes: expect.stringContaining('The master key is being changed'),
  })
  expect(readdirSync(folder.path)).toEqual([])
  rmSync(join(dataFolder, 'master.key.next'))
  expect(await runServer(settings, words)).toMatchObject({ exitCode: 0 })
  await source.drop()
})

/** Where a restore may go: nothing is there yet. */
async function openTarget({
  name,
  openEmpty,
}: (typeof databases)[number]): Promise<AsyncDisposable & { address: DatabaseAddress }> {
  if (name === 'embedded') {
    const folder = makeFolder()
    return { address: { dataFolder: folder.path }, [Symbol.asyncDispose]: async () => folder[Symbol.dispose]() }
  }
  const database = await openEmpty()
  return { address: database.address, [Symbol.asyncDispose]: () => database.drop() }
}

/** Those that the end of the earlier life does not write to. */
const SAME = [
  'users',
  'personal_tokens',
  'organizations',
  'memberships',
  'servers',
  'projects',
  'environments',
  'domains',
  'variables',
  'outputs',
] as const

async function compareTables(source: TestDatabase, restored: Pick<TestDatabase, 'db'>): Promise<void> {
  for (const table of SAME) {
    const read = async ({ db }: Pick<TestDatabase, 'db'>) =>
      (await sql<object>`select * from ${sql.table(table)}`.execute(db)).rows
    const plain = (rows: readonly object[]) =>
      rows.map((row) => JSON.stringify(Object.entries(row).map(readable).sort())).sort()
    expect(plain(await read(restored))).toEqual(plain(await read(source)))
    expect(await read(restored)).not.toEqual([])
  }
}

/** The two databases hand out bytes as different classes. */
const readable = ([name, value]: [string, unknown]): [string, unknown] => [
  name,
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
]

async function endsOf({ db }: Pick<TestDatabase, 'db'>, ids: readonly number[]) {
  const tasks = await db
    .selectFrom('tasks')
    .where('id', 'in', ids)
    .orderBy('id')
    .select(['id', 'status', 'reason'])
    .execute()
  return Promise.all(
    tasks.map(async ({ id, ...task }) => {
      const last = db.selectFrom('steps').where('task_id', '=', id).orderBy('position', 'desc').select('message')
      return { ...task, message: (await last.executeTakeFirst())?.message }
    }),
  )
}
