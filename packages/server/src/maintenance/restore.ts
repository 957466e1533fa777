// `restore <file>`: loads a backup into an empty data folder or an empty PostgreSQL.
import type { Config } from '../config.ts'
import { CannotStart } from '../domain/cannot-start.ts'
import { type Box, createBox } from '../secrets/box.ts'
import { type MasterKey, makeKeyFile, masterKeyFileOf, parseMasterKey } from '../secrets/master-key.ts'
import { verifyMasterKey } from '../secrets/verify-master-key.ts'
import { endUnfinishedWork } from '../store/backup/end-unfinished-work.ts'
import { loadTables } from '../store/backup/load-tables.ts'
import { updateUnfinishedRestore } from '../store/backup/restored.ts'
import type { Database } from '../store/database.ts'
import { countMigrations, migrate, readMigrations } from '../store/migrate.ts'
import { findSetting, insertSettingOnce } from '../store/settings.ts'
import { readBackupFile } from './backup-file.ts'
import { type BackupHead, BackupRefused, parseHead, readLines } from './backup-lines.ts'
import { checkSealedValues } from './check-sealed-values.ts'
import { type Command, EXIT, type Io } from './command.ts'
import { findOwnKey } from './keys.ts'
import { openRestoreTarget, refuseRecords } from './restore-target.ts'

export const restore: Command = {
  usage: 'restore <file>',
  summary: 'Bring the records of a backup into an empty data folder or an empty PostgreSQL',
  examples: ['shipway-server restore /var/lib/shipway-backups/monday.backup'],
  run: async (io, [file = '']) => {
    const head = await readHead(file)
    const { key, isInBackup } = await chooseKey(io.config, head)
    const box = createBox(key)
    if (box.keyId !== head.key_id) throw new BackupRefused(OTHER_KEY)
    const known = await countKnownMigrations(head)
    const rows = await verify(file, box)
    const target = await openRestoreTarget(io.config)
    try {
      // Records without their key could not be opened, so the key is there first.
      const keepKey = isInBackup ? () => makeKeyFile(masterKeyFileOf(io.config.dataFolder), key) : undefined
      const report = await fill(io, { database: target.database, file, box, migrations: known, keepKey })
      await target.commit()
      io.say(`Restored ${rows} rows from the backup of ${head.made_at}, made by ${head.version} on ${head.database}`)
      for (const line of report) io.say(line)
      io.note(AFTERWARDS)
    } finally {
      await target.close()
    }
    return EXIT.done
  },
}

async function readHead(file: string): Promise<BackupHead> {
  for await (const line of readBackupFile(file)) return parseHead(line)
  return parseHead(undefined)
}

async function chooseKey(config: Config, head: BackupHead): Promise<{ key: MasterKey; isInBackup: boolean }> {
  const own = await findOwnKey(config)
  if (own) return { key: own, isInBackup: false }
  if (head.master_key === undefined) {
    throw new CannotStart(
      'This backup has no master key in it, and there is none here. Put the master.key of that time into the data folder, ' +
        'or give it as SHIPWAY_MASTER_KEY_FILE.',
    )
  }
  return { key: parseMasterKey(head.master_key, 'The master key of the backup'), isInBackup: true }
}

const OTHER_KEY =
  'The backup was made with another master key. Give that one: as master.key in the data folder, or as SHIPWAY_MASTER_KEY_FILE.'

/** The migrations of the backup must be the first of ours: its tables are created as they were, and migrated afterwards. */
async function countKnownMigrations({ migrations, version }: BackupHead): Promise<number> {
  const ours = await readMigrations()
  for (const [index, { name, checksum }] of migrations.entries()) {
    if (ours[index]?.checksum === checksum) continue
    throw new CannotStart(
      // Which need not be the version that made the backup: an older one works on newer tables after an upgrade that was undone.
      `This version of Shipway does not know the migration ${name} of the backup, which ${version} made. ` +
        'Restore with the newest version that the platform has run, also if it has gone back to an older one since.',
    )
  }
  return migrations.length
}

/** Reads the whole file before anything is written. Returns the number of rows. */
async function verify(file: string, box: Box): Promise<number> {
  let count = 0
  for await (const { rows } of readLines(readBackupFile(file), box)) count += rows.length
  return count
}

type RestoreSource = {
  readonly database: Database
  readonly file: string
  readonly box: Box
  readonly migrations: number
  /** Writes the key that is in the backup. */
  readonly keepKey: (() => Promise<void>) | undefined
}

/** The later migrations would not change the records of the backup: they count as applied. */
async function refuseNewerTables({ db }: Database, migrations: number): Promise<void> {
  if ((await countMigrations(db)) === migrations) return
  throw new CannotStart(
    'The database of DATABASE_URL has tables that are newer than the backup, so its records could not be brought up to date. Name an empty one.',
  )
}

async function fill(io: Io, { database, file, box, migrations, keepKey }: RestoreSource): Promise<readonly string[]> {
  await migrate(database, undefined, migrations)
  await refuseNewerTables(database, migrations)
  await loadTables(database, {
    batches: readLines(readBackupFile(file), box),
    // Since it was found empty, another restore may have filled it, or a platform may have started on it.
    refuse: (transaction) => refuseRecords({ db: transaction, kind: database.kind }),
    together: async (transaction) => {
      // Until everything below is done, the platform refuses to start on it.
      await updateUnfinishedRestore(transaction)
      await keepKey?.()
    },
  })
  await migrate(database)
  const { db } = database
  await verifyMasterKey(box, {
    get: () => findSetting(db, 'canary'),
    set: (value) => insertSettingOnce(db, 'canary', value),
  })
  const { opened, unreadable } = await checkSealedValues(db, box)
  const ended = await endUnfinishedWork(db, io.clock())
  return [
    `${opened} sealed values open with the master key`,
    ...unreadable.map((place) => `Does not open, set it again: ${place}`),
    ...(ended.tasks > 0 ? [`${ended.tasks} tasks that were queued or running have ended as interrupted`] : []),
    ...(ended.deliveries > 0
      ? [`${ended.deliveries} deliveries of git hosts that had not taken effect are left out`]
      : []),
  ]
}

const AFTERWARDS = `Start the platform now. It shows what the records say, and does nothing by itself about pull requests and orphans
until you have looked at it and run: shipway-server resume`
