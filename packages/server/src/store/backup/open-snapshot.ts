// Takes a snapshot of the database that the settings name.
import type { DatabaseAddress } from '../database.ts'
import { openPostgresSnapshot } from './postgres-snapshot.ts'
import type { Snapshot } from './snapshot.ts'
import { openSqliteSnapshot } from './sqlite-snapshot.ts'

export function openSnapshot({ url, dataFolder }: DatabaseAddress): Promise<Snapshot> {
  return url === undefined ? openSqliteSnapshot(dataFolder) : openPostgresSnapshot(url)
}
