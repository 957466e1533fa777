import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildOrganization, buildProject, buildUser } from '../../test/factories.ts'
import { makeFolder, runServer } from '../../test/maintenance/command-runs.ts'
import { readConfig } from '../config.ts'
import { createBox } from '../secrets/box.ts'
import { loadMasterKey, makeKeyFile, nextKeyFileOf } from '../secrets/master-key.ts'
import { verifyPassword } from '../secrets/password.ts'
import { verifyMasterKey } from '../secrets/verify-master-key.ts'
import { updateLastBackup } from '../store/backup/last-backup.ts'
import { type DatabaseAddress, openDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { findSetting, insertSettingOnce } from '../store/settings.ts'
import { refuseUnfinishedRotation } from './rotate-keys.ts'

describe('words', () => {
  test.each([
    [['--help'], 0, /backup <file>.*doctor/s],
    [['backup', '--help'], 0, /--with-key.*Examples:/s],
    [['admin', 'reset-password', '-h'], 0, /--password-stdin/],
  ])('%j show help', async (words, exitCode, text) => {
    expect(await runServer({ SHIPWAY_PORT: 'not a port' }, words)).toEqual({
      exitCode,
      out: expect.stringMatching(text),
      notes: '',
    })
  })

  test.each([
    [['backup'], 'shipway-server backup <file>'],
    [['backup', 'one', 'two'], 'shipway-server backup <file>'],
    [['backup', 'one', '--with-keys'], '--with-keys is not known'],
    [['backup', 'one', '--with-key=secret'], '--with-key is not known'],
    [['keys'], 'There is no command keys'],
    [['start'], 'There is no command start'],
  ])('%j are not understood', async (words, sentence) => {
    expect(await runServer({}, words)).toEqual({ exitCode: 2, out: '', notes: expect.stringContaining(sentence) })
  })

  test('a folder without a database is told apart from an empty one, and stays as it is', async () => {
    using folder = makeFolder()
    for (const words of [
      ['backup', join(folder.path, 'a')],
      ['resume'],
      ['admin', 'reset-password', 'ada@example.com'],
    ]) {
      const run = await runServer({ SHIPWAY_DATA: folder.path }, words)
      expect(run).toMatchObject({ exitCode: 1, notes: expect.stringContaining('There is no database') })
    }
    expect(existsSync(join(folder.path, 'shipway.db'))).toBe(false)
  })
})

describe('keys rotate', () => {
  test('makes a new key, keeps the earlier one for old backups, and the database opens with the new one alone', async () => {
    using folder = makeFolder()
    const settings = { SHIPWAY_DATA: folder.path }
    const keyFile = join(folder.path, 'master.key')
    const check = async () => {
      const database = await openDatabase({ dataFolder: folder.path })
      await migrate(database)
      const row = {
        get: () => findSetting(database.db, 'canary'),
        set: (value: string) => insertSettingOnce(database.db, 'canary', value),
      }
      await verifyMasterKey(createBox(await loadMasterKey({ dataFolder: folder.path })), row).finally(() =>
        database.close(),
      )
    }
    await check()
    const before = readFileSync(keyFile, 'utf8')
    expect(await runServer(settings, ['keys', 'rotate'])).toMatchObject({
      exitCode: 0,
      out: '0 values are sealed with the new master key',
    })
    expect(readFileSync(keyFile, 'utf8')).not.toBe(before)
    expect(readFileSync(`${keyFile}.previous`, 'utf8')).toBe(before)
    expect(existsSync(`${keyFile}.next`)).toBe(false)
    await check()
  })

  test('keeps the key of each earlier rotation, because older backups need it', async () => {
    using folder = makeFolder()
    const database = await openDatabase({ dataFolder: folder.path })
    await migrate(database)
    await database.close()
    await loadMasterKey({ dataFolder: folder.path })
    const keyFile = join(folder.path, 'master.key')
    const keys: string[] = []
    for (const name of ['master.key.previous', 'master.key.previous.2', 'master.key.previous.3']) {
      keys.push(readFileSync(keyFile, 'utf8'))
      const { notes } = await runServer({ SHIPWAY_DATA: folder.path }, ['keys', 'rotate'])
      expect(notes).toContain(`kept as ${join(folder.path, name)}`)
    }
    const kept = ['.previous', '.previous.2', '.previous.3'].map((ending) => readFileSync(keyFile + ending, 'utf8'))
    expect(kept).toEqual(keys)
    expect(new Set(keys).size).toBe(3)
  })

  test('goes on with the key of a run that was broken off, and the platform does not start before', async () => {
    using folder = makeFolder()
    const database = await openDatabase({ dataFolder: folder.path })
    await migrate(database)
    await database.close()
    await loadMasterKey({ dataFolder: folder.path })
    await makeKeyFile(nextKeyFileOf(folder.path))
    const next = readFileSync(nextKeyFileOf(folder.path), 'utf8')
    const settings = { SHIPWAY_DATA: folder.path }
    expect(() => refuseUnfinishedRotation(readConfig(settings))).toThrow('shipway-server keys rotate')
    expect(await runServer(settings, ['keys', 'rotate'])).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(folder.path, 'master.key'), 'utf8')).toBe(next)
    expect(() => refuseUnfinishedRotation(readConfig(settings))).not.toThrow()
  })

  test('says what to set where the settings give the key', async () => {
    using folder = makeFolder()
    const database = await openDatabase({ dataFolder: folder.path })
    await migrate(database)
    await database.close()
    const run = await runServer({ SHIPWAY_DATA: folder.path, SHIPWAY_MASTER_KEY: 'whatever' }, ['keys', 'rotate'])
    expect(run).toMatchObject({ exitCode: 1, notes: expect.stringContaining('SHIPWAY_MASTER_KEY_PREVIOUS_FILE') })
  })
})

describe.each(databases)('on $name', ({ open }) => {
  test('admin reset-password gives a link, or sets what stands in the input and ends every sign-in', async () => {
    const database = await open()
    const records = { db: database.db, clock: Date.now }
    const { url, dataFolder } = database.address
    const settings = {
      SHIPWAY_DATA: dataFolder,
      SHIPWAY_BASE_URL: 'https://ship.example.com',
      ...(url !== undefined && { DATABASE_URL: url }),
    }
    const ada = await buildUser(records)
    const session = { user_id: ada.id, token_digest: 'digest', created_at: 1, last_seen_at: 1, expires_at: 9e15 }
    await database.db.insertInto('sessions').values(session).execute()
    const link = await runServer(settings, ['admin', 'reset-password', ada.email.toUpperCase()])
    expect(link).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^https:\/\/ship\.example\.com\/password-reset#token=shw_reset_\S+$/),
    })
    const words = ['admin', 'reset-password', ada.email, '--password-stdin']
    expect(await runServer(settings, words, { input: 'short\n' })).toMatchObject({
      exitCode: 1,
      notes: expect.stringContaining('character'),
    })
    expect(await runServer(settings, words, { input: 'correct horse battery staple\n' })).toMatchObject({
      exitCode: 0,
      out: '',
    })
    const { password_hash: hash } = await database.db
      .selectFrom('users')
      .where('id', '=', ada.id)
      .select('password_hash')
      .executeTakeFirstOrThrow()
    expect(await verifyPassword('correct horse battery staple', hash)).toBe(true)
    expect(await database.db.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(await runServer(settings, ['admin', 'reset-password', 'eve@example.com'])).toMatchObject({
      exitCode: 1,
      notes: expect.stringContaining('There is no account'),
    })
    await database.drop()
  })

  test('admin remove-second-factor turns codes off, once, and writes it down', async () => {
    const database = await open()
    const { url, dataFolder } = database.address
    const settings = { SHIPWAY_DATA: dataFolder, ...(url !== undefined && { DATABASE_URL: url }) }
    const ada = await buildUser({ db: database.db, clock: Date.now })
    const factor = { user_id: ada.id, key_id: 'key', secret_sealed: 'sealed', created_at: 1, confirmed_at: 1 }
    await database.db.insertInto('second_factors').values(factor).execute()
    await database.db.insertInto('recovery_codes').values({ user_id: ada.id, code_digest: 'digest' }).execute()
    const words = ['admin', 'remove-second-factor', ada.email.toUpperCase()]
    expect(await runServer(settings, words)).toMatchObject({ exitCode: 0, notes: expect.stringContaining(ada.name) })
    for (const table of ['second_factors', 'recovery_codes'] as const) {
      expect(await database.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
    const events = await database.db.selectFrom('audit_events').select(['action', 'target_id']).execute()
    expect(events).toEqual([{ action: 'second_factor.removed', target_id: ada.id }])
    expect(await runServer(settings, words)).toMatchObject({
      exitCode: 1,
      notes: expect.stringContaining('has no two'),
    })
    expect(await runServer(settings, ['admin', 'remove-second-factor', 'eve@example.com'])).toMatchObject({
      exitCode: 1,
      notes: expect.stringContaining('There is no account'),
    })
    await database.drop()
  })

  test('admin delete-user ends an account and hands over what it owned, and says who stands in the way', async () => {
    const database = await open()
    const { url, dataFolder } = database.address
    const settings = { SHIPWAY_DATA: dataFolder, ...(url !== undefined && { DATABASE_URL: url }) }
    const records = { db: database.db, clock: Date.now }
    const [ada, grace] = [await buildUser(records), await buildUser(records)]
    const { id: organizationId } = await buildOrganization(records, [
      { user: ada, role: 'owner' },
      { user: grace, role: 'member' },
    ])
    const { id } = await buildProject(records, { organizationId, ownerId: ada.id })
    const words = ['admin', 'delete-user', ada.email]
    expect(await runServer(settings, words)).toMatchObject({
      exitCode: 1,
      notes: expect.stringContaining('Add another owner'),
    })
    await database.db.updateTable('memberships').set({ role: 'owner' }).where('user_id', '=', grace.id).execute()
    expect(await runServer(settings, [...words, 'eve@example.com'])).toMatchObject({ exitCode: 1 })
    expect(await runServer(settings, [...words, grace.email])).toMatchObject({
      exitCode: 0,
      notes: expect.stringContaining(ada.name),
    })
    const project = await database.db.selectFrom('projects').where('id', '=', id).select('owner_id').executeTakeFirst()
    expect(project).toEqual({ owner_id: grace.id })
    expect(await runServer(settings, words)).toMatchObject({
      exitCode: 1,
      notes: expect.stringContaining('There is no account'),
    })
    await database.drop()
  })

  test('doctor prints one line for each check, and fails where the key does not open the values', async () => {
    const database = await open()
    const { url, dataFolder } = database.address
    const settings = { SHIPWAY_DATA: dataFolder, SHIPWAY_PORT: '1', ...(url !== undefined && { DATABASE_URL: url }) }
    const run = await runServer(settings, ['doctor', '--json'])
    expect(run.exitCode).toBe(1)
    const { ok, findings } = JSON.parse(run.out)
    expect(ok).toBe(false)
    expect(findings).toContainEqual({ name: 'migrations', outcome: 'ok', detail: 'All are applied' })
    expect(findings).toContainEqual(
      expect.objectContaining({ name: 'master key', outcome: 'failed', fix: expect.any(String) }),
    )
    expect(findings).toContainEqual(expect.objectContaining({ name: 'base address', outcome: 'failed' }))
    const lines = (await runServer(settings, ['doctor'])).out.split('\n')
    expect(lines).toHaveLength(findings.length)
    await database.drop()
  })
})

describe.each(databases)('doctor on $name', ({ open }) => {
  const settingsOf = ({ url, dataFolder }: DatabaseAddress, more: Readonly<Record<string, string>> = {}) => ({
    ...{ SHIPWAY_DATA: dataFolder, SHIPWAY_PORT: '1', ...more },
    ...(url !== undefined && { DATABASE_URL: url }),
  })
  const findingsOf = async (settings: Readonly<Record<string, string>>, ...flags: readonly string[]) => {
    const { findings } = JSON.parse((await runServer(settings, ['doctor', '--json', ...flags])).out)
    return new Map<string, string>(
      findings.map(({ name, outcome }: { name: string; outcome: string }) => [name, outcome]),
    )
  }

  test('accepts the tables of a later version that says this one works on them, and no others', async () => {
    const database = await open()
    const settings = settingsOf(database.address)
    const { rows } = await sql<{ version: number }>`select max(version) as version from schema_migrations`.execute(
      database.db,
    )
    await sql`insert into schema_migrations (version, name, checksum, applied_at)
      values (${Number(rows[0]?.version) + 1}, 'later', 'of a later version', 1)`.execute(database.db)
    const found = await findingsOf(settings)
    expect(found.get('migrations')).toBe('ok')
    expect(found.has('clock')).toBe(true)
    await sql`update settings set value = '99.0.0' where key = 'oldest_release'`.execute(database.db)
    expect((await findingsOf(settings)).get('migrations')).toBe('failed')
    await database.drop()
  })

  test('before an upgrade, what is around the platform is a warning', async () => {
    const database = await open()
    const settings = settingsOf(database.address, { SHIPWAY_SMTP_URL: 'smtp://127.0.0.1:1' })
    await updateLastBackup(database.db, { at: 1, failure: 'the disk was full' })
    const outcomes = (found: ReadonlyMap<string, string>) =>
      ['base address', 'mail', 'backup', 'master key'].map((name) => found.get(name))
    expect(outcomes(await findingsOf(settings))).toEqual(['failed', 'failed', 'failed', 'failed'])
    expect(outcomes(await findingsOf(settings, '--for-upgrade'))).toEqual(['warning', 'warning', 'warning', 'failed'])
    await database.drop()
  })
})

describe.each(databases.filter(({ name }) => name === 'postgres'))('on $name, which others use too', ({ open }) => {
  test('keys rotate waits until no process seals with the earlier key any more', async () => {
    const database = await open()
    using folder = makeFolder()
    await loadMasterKey({ dataFolder: folder.path })
    const settings = { SHIPWAY_DATA: folder.path, DATABASE_URL: database.address.url }
    const run = await runServer(settings, ['keys', 'rotate'])
    expect(run).toMatchObject({ exitCode: 1, notes: expect.stringContaining('Stop all of its processes first') })
    await database.close()
    expect(await runServer(settings, ['keys', 'rotate'])).toMatchObject({ exitCode: 0 })
    await database.drop()
  })
})
