// Checks the database: connection, migrations, master key, clock, backups, and the last checks of servers.
import type { Config } from '../../config.ts'
import { type Box, createBox } from '../../secrets/box.ts'
import { findLastBackup, type LastBackup } from '../../store/backup/last-backup.ts'
import { openSnapshot } from '../../store/backup/open-snapshot.ts'
import { isAwaitingReview, isUnfinishedRestore } from '../../store/backup/restored.ts'
import type { Database } from '../../store/database.ts'
import { findDatabaseTime } from '../../store/database-time.ts'
import { readMigrations, worksOnNewerTables } from '../../store/migrate.ts'
import { listFailedChecks } from '../../store/servers/server-checks.ts'
import { checkSealedValues } from '../check-sealed-values.ts'
import { loadOwnKey } from '../keys.ts'
import { withDatabase } from '../with-database.ts'
import { type Finding, failed, ok, reasonOf, warning } from './finding.ts'

type RecordsCheck = { readonly config: Config; readonly clock: () => number }

export async function checkRecords({ config, clock }: RecordsCheck): Promise<readonly Finding[]> {
  try {
    const pending = await countPending(config)
    const found = ok(
      'database',
      config.databaseUrl === undefined ? 'The embedded database opens' : 'PostgreSQL answers',
    )
    if (pending > 0) return [found, describePending(pending)]
    return await withDatabase(config, async (database) => {
      if (pending < 0 && !(await worksOnNewerTables(database.db))) return [found, TOO_NEW]
      return [
        ...[found, ok('migrations', pending < 0 ? 'All are applied, and those of a later version' : 'All are applied')],
        ...[await checkKey(config, database), await checkClock(database, clock)],
        ...[describeBackup(await findLastBackup(database.db), clock()), await checkEdges(database)],
        ...(await describeRestore(database)),
      ]
    })
  } catch (error) {
    return [failed('database', reasonOf(error), 'Check that it exists and that this user has access')]
  }
}

/** Negative if the database is newer. Reads a snapshot, because opening the database in the usual way could write to it. */
async function countPending({ databaseUrl: url, dataFolder }: Config): Promise<number> {
  const snapshot = await openSnapshot({ url, dataFolder })
  try {
    return (await readMigrations()).length - (await snapshot.listMigrations()).length
  } finally {
    await snapshot.close()
  }
}

const describePending = (count: number): Finding =>
  failed('migrations', `${count} are not applied`, 'Run: shipway-server migrate, or start the platform')

const TOO_NEW = failed('migrations', 'The database is newer than this version', 'Start the version that made it')

async function checkKey(config: Config, { db }: Database): Promise<Finding> {
  try {
    const box: Box = createBox(await loadOwnKey(config))
    const { opened, unreadable } = await checkSealedValues(db, box)
    if (unreadable.length === 0) return ok('master key', `It opens all ${opened} sealed values`)
    const some = unreadable.slice(0, 5).join(', ')
    return failed(
      'master key',
      `It does not open ${unreadable.length} values: ${some}`,
      'Start with the previous key, or set these values again',
    )
  } catch (error) {
    return failed('master key', reasonOf(error), 'Put master.key back into the data folder, or name it in the settings')
  }
}

const MAX_SKEW_MS = 5_000

async function checkClock({ db }: Database, clock: () => number): Promise<Finding> {
  const askedAt = clock()
  const skewMs = Math.round((await findDatabaseTime(db)) - (askedAt + clock()) / 2)
  const detail = `It differs from the clock of the database by ${skewMs} ms`
  return Math.abs(skewMs) <= MAX_SKEW_MS
    ? ok('clock', detail)
    : failed('clock', detail, 'Keep both machines in time, such as with systemd-timesyncd')
}

const DAY_MS = 86_400_000

function describeBackup(last: LastBackup | undefined, now: number): Finding {
  const fix = 'Run: shipway-server backup <file>, best by a timer (docs/operations.md)'
  if (last === undefined) return warning('backup', 'There has never been one', fix)
  if (last.failure !== null) return failed('backup', `The last one failed: ${last.failure}`, fix)
  const days = (now - (last.succeeded_at ?? 0)) / DAY_MS
  const detail = `The last one is ${days.toFixed(1)} days old`
  return days > 2 ? warning('backup', detail, fix) : ok('backup', detail)
}

async function checkEdges({ db }: Database): Promise<Finding> {
  const failedChecks = await listFailedChecks(db)
  if (failedChecks.length === 0) return ok('servers and edges', 'Nothing failed when they were checked last')
  const details = failedChecks.map(({ server, detail }) => `${server}: ${detail}`).join('; ')
  return warning('servers and edges', details, 'Check these servers in the dashboard, which says what to do')
}

async function describeRestore({ db }: Database): Promise<readonly Finding[]> {
  if (await isUnfinishedRestore(db)) return [HALF_RESTORED]
  return (await isAwaitingReview(db)) ? [RESTING] : []
}

const HALF_RESTORED = failed(
  'restore',
  'A restore was broken off in the middle, and the platform does not start on its records',
  'Empty the database, and restore the backup again',
)

const RESTING = warning(
  'restore',
  'The records were restored, and the platform does nothing by itself about pull requests and orphans',
  'Look at what runs, then run: shipway-server resume',
)
