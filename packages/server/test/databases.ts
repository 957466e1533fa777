// A fresh, migrated database of each kind, for `describe.each(databases)('…on $name', …)`.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client, escapeIdentifier } from 'pg'
import { inject } from 'vitest'
import { type Database, type DatabaseAddress, openDatabase } from '../src/store/database.ts'
import { migrate, readMigrations } from '../src/store/migrate.ts'
import { DATABASE_FILE, migratedFile } from './migrated-file.ts'

export type TestDatabase = Database & { drop(): Promise<void> }

// `open` gives the database with the project's schema, `openEmpty` one without any.
export type TestDatabaseSource = {
  readonly name: 'embedded' | 'postgres'
  open(): Promise<AddressedDatabase>
  openEmpty(): Promise<AddressedDatabase>
}

type AddressedDatabase = TestDatabase & { readonly address: DatabaseAddress }

const embedded: TestDatabaseSource = {
  name: 'embedded',
  open: async () => openFile(await migratedFile()),
  openEmpty: () => openFile(Buffer.alloc(0)),
}

async function openFile(content: Buffer): Promise<AddressedDatabase> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'shipway-database-'))
  await writeFile(join(dataFolder, DATABASE_FILE), content, { mode: 0o600 })
  const database = await openDatabase({ dataFolder })
  // As with the cluster of the tests: there is no power cut, so the disk need not be waited for.
  await sql`pragma synchronous = off`.execute(database.db)
  const drop = async () => {
    await database.close()
    await rm(dataFolder, { recursive: true })
  }
  return { ...database, address: { dataFolder }, drop }
}

const postgres = (cluster: string): TestDatabaseSource => ({
  name: 'postgres',
  open: async () => openCopy(cluster, await migratedTemplate(cluster)),
  openEmpty: () => openCopy(cluster, 'template1'),
})

export const databases: readonly TestDatabaseSource[] = [embedded, ...postgresIfThere()]

function postgresIfThere(): TestDatabaseSource[] {
  const cluster = inject('postgresUrl')
  if (cluster) return [postgres(cluster)]
  if (process.env.CI) throw new Error('There is no PostgreSQL for the tests: the global set-up did not start one')
  return []
}

async function openCopy(cluster: string, template: string): ReturnType<TestDatabaseSource['openEmpty']> {
  const name = `shipway_test_${randomBytes(6).toString('hex')}`
  await onCluster(cluster, (client) => createDatabase(client, name, template))
  const address = { url: urlOf(cluster, name), dataFolder: tmpdir() }
  const database = await openDatabase(address)
  const drop = async () => {
    await database.close()
    await onCluster(cluster, (client) => client.query(`drop database ${escapeIdentifier(name)} with (force)`))
  }
  return { ...database, address, drop }
}

// A copy of a template too, which a process looks for once.
let templateOnceMigrated: Promise<string> | undefined

function migratedTemplate(cluster: string): Promise<string> {
  templateOnceMigrated ??= migrateTemplate(cluster)
  return templateOnceMigrated
}

// It is named after the migrations, so a changed migration makes a new one; it gets its name when it is complete.
async function migrateTemplate(cluster: string): Promise<string> {
  const checksums = (await readMigrations()).map(({ checksum }) => checksum).join()
  const template = `shipway_template_${createHash('sha256').update(checksums).digest('hex').slice(0, 12)}`
  await onCluster(cluster, async (client) => {
    await client.query('select pg_advisory_lock(1)')
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template])
    if (rowCount) return
    const unfinished = `${template}_unfinished`
    await client.query(`drop database if exists ${escapeIdentifier(unfinished)}`)
    await createDatabase(client, unfinished, 'template1')
    const database = await openDatabase({ url: urlOf(cluster, unfinished), dataFolder: tmpdir() })
    await migrate(database).finally(database.close)
    await client.query(`alter database ${escapeIdentifier(unfinished)} rename to ${escapeIdentifier(template)}`)
  })
  return template
}

async function createDatabase(client: Client, name: string, template: string): Promise<void> {
  await client.query(
    `create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)} strategy file_copy`,
  )
}

// Ending the connection also releases the advisory lock.
async function onCluster<Result>(cluster: string, run: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: cluster })
  await client.connect()
  return run(client).finally(() => client.end())
}

function urlOf(cluster: string, name: string): string {
  const url = new URL(cluster)
  url.pathname = `/${name}`
  return url.href
}
