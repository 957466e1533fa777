// A migrated database of the embedded kind, as the content of its file: to copy it is ten times as fast as to migrate an empty one.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openDatabase } from '../src/store/database.ts'
import { migrate } from '../src/store/migrate.ts'

/** Its name in a data folder. */
export const DATABASE_FILE = 'shipway.db'

/** Made once in a process. */
export function migratedFile(): Promise<Buffer> {
  onceMigrated ??= makeMigrated()
  return onceMigrated
}

let onceMigrated: Promise<Buffer> | undefined

/** A closed database is one file, since its write-ahead log is gone. */
async function makeMigrated(): Promise<Buffer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'shipway-migrated-'))
  const database = await openDatabase({ dataFolder })
  await sql`pragma synchronous = off`.execute(database.db)
  await migrate(database)
  await database.close()
  const content = await readFile(join(dataFolder, DATABASE_FILE))
  await rm(dataFolder, { recursive: true })
  return content
}
