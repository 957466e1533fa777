// Logs a warning while the database is near its limit or above it.
import type { Context } from '../../context.ts'
import { findDatabaseSize } from '../../store/database-size.ts'

export async function warnOfDatabaseSize({ db, config, log }: Pick<Context, 'db' | 'config' | 'log'>): Promise<void> {
  if (config.databaseMebibytes === undefined) return
  const { bytes, limitBytes, isNearlyFull, isFull } = await findDatabaseSize(db, config.databaseMebibytes)
  if (!isNearlyFull) return
  log.warn(
    { bytes, limitBytes },
    isFull
      ? 'the database has reached SHIPWAY_DATABASE_MIB: tasks keep only the first and last part of their output'
      : 'the database has reached 80 % of SHIPWAY_DATABASE_MIB',
  )
}
