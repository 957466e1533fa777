/** The empty database that a restore fills. The embedded one is filled in a draft folder and moved into place when complete. */
import { existsSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { CannotStart } from '../domain/cannot-start.ts'
import { isEmptyDatabase } from '../store/backup/is-empty-database.ts'
import { openDataFolder } from '../store/data-folder.ts'
import { type Database, openDatabase } from '../store/database.ts'

export type RestoreTarget = {
  readonly database: Database
  /** Makes the restored database the platform's. Closes it. */
  commit(): Promise<void>
  close(): Promise<void>
}

export function openRestoreTarget({ databaseUrl, dataFolder }: Config): Promise<RestoreTarget> {
  return databaseUrl === undefined ? openEmptyFolder(dataFolder) : openEmptyPostgres(databaseUrl, dataFolder)
}

async function openEmptyFolder(dataFolder: string): Promise<RestoreTarget> {
  const folder = openDataFolder(dataFolder)
  const path = join(folder.path, 'shipway.db')
  const draft = join(folder.path, DRAFT)
  // Of a restore that was killed. Only one works here at a time: the data folder is locked.
  await rm(draft, { recursive: true, force: true })
  if (existsSync(path)) {
    folder.close()
    throw new CannotStart(
      `${path} exists already, and a restore overwrites nothing. Choose an empty folder with SHIPWAY_DATA, or move it away.`,
    )
  }
  // SQLite would write the log of another database into the restored one.
  const log = ['-wal', '-journal'].map((ending) => `${path}${ending}`).find(hasBytes)
  if (log !== undefined) {
    folder.close()
    throw new CannotStart(
      `${log} has the last records of a database that is no longer beside it. Move it to that database, or remove it.`,
    )
  }
  await mkdir(draft, { mode: 0o700 })
  const database = await openDatabase({ dataFolder: draft })
  return {
    database,
    commit: async () => {
      // Closing merges the write-ahead log into the file.
      await database.close()
      await rename(join(draft, 'shipway.db'), path)
      await using opened = await open(folder.path, 'r')
      await opened.sync()
    },
    close: async () => {
      await database.close()
      await rm(draft, { recursive: true, force: true })
      folder.close()
    },
  }
}

/** The next restore finds it again by its name. */
const DRAFT = '.restore'

const hasBytes = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0

async function openEmptyPostgres(url: string, dataFolder: string): Promise<RestoreTarget> {
  const database = await openDatabase({ url, dataFolder })
  try {
    await refuseRecords(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return { database, commit: async () => undefined, close: () => database.close() }
}

export async function refuseRecords(database: Pick<Database, 'db' | 'kind'>): Promise<void> {
  if (await isEmptyDatabase(database)) return
  throw new CannotStart(
    'The database of DATABASE_URL has records already, and a restore overwrites nothing. Name an empty one.',
  )
}
