// Opens the database of the settings for a command. The platform may be running.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { CannotStart } from '../domain/cannot-start.ts'
import { inDataFolder } from '../store/data-folder.ts'
import { type Database, openDatabase } from '../store/database.ts'

export async function withDatabase<Result>(
  { databaseUrl, dataFolder }: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  if (databaseUrl === undefined && !existsSync(join(dataFolder, 'shipway.db'))) {
    throw new CannotStart(
      `There is no database in ${dataFolder}. Name the data folder with SHIPWAY_DATA, or PostgreSQL with DATABASE_URL.`,
    )
  }
  const database = await inDataFolder(dataFolder, () => openDatabase({ url: databaseUrl, dataFolder }))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
