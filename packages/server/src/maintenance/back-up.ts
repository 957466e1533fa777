// `backup <file>`: writes a snapshot of all records into one file, while the platform runs.
import type { Config } from '../config.ts'
import { CannotStart } from '../domain/cannot-start.ts'
import { type Box, createBox } from '../secrets/box.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { verifyMasterKey } from '../secrets/verify-master-key.ts'
import { updateLastBackup } from '../store/backup/last-backup.ts'
import { openSnapshot } from '../store/backup/open-snapshot.ts'
import type { Snapshot } from '../store/backup/snapshot.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { findSetting, insertSettingOnce } from '../store/settings.ts'
import { VERSION } from '../version.ts'
import { writeBackupFile } from './backup-file.ts'
import { type Counted, writeLines } from './backup-lines.ts'
import { type Command, EXIT, type Io } from './command.ts'
import { loadOwnKey } from './keys.ts'
import { isRotating } from './rotate-keys.ts'

export const backUp: Command = {
  usage: 'backup <file>',
  summary: 'Write all records into one file, while the platform runs',
  flags: { 'with-key': 'put the master key into the file too: a reader of the file then has every secret' },
  examples: ['shipway-server backup /var/lib/shipway-backups/monday.backup'],
  run: async (io, [file = ''], flags) => {
    const address = { url: io.config.databaseUrl, dataFolder: io.config.dataFolder }
    // First, because it fails if there is no database: opening a missing one would create it.
    const snapshot = await openSnapshot(address)
    try {
      const database = await openDatabase(address)
      try {
        await writeAndRecord(io, { snapshot, database, file, withKey: flags['with-key'] === true })
      } finally {
        await database.close()
      }
    } finally {
      await snapshot.close()
    }
    return EXIT.done
  },
}

type BackupRequest = {
  readonly snapshot: Snapshot
  readonly database: Database
  readonly file: string
  readonly withKey: boolean
}

/** Failures are recorded too, so that the metrics show a backup timer that fails at night. */
async function writeAndRecord(io: Io, { snapshot, database, file, withKey }: BackupRequest): Promise<void> {
  try {
    refuseDuringRotation(io.config)
    const key = await loadOwnKey(io.config)
    const counted: Counted = { tables: 0, rows: 0 }
    const bytes = await write(io, { snapshot, database, file, key, withKey, counted })
    await updateLastBackup(database.db, { at: io.clock(), bytes })
    io.say(`${file}: ${counted.rows} rows of ${counted.tables} tables, ${bytes} bytes`)
    io.note(withKey ? WITH_KEY : WITHOUT_KEY)
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    await updateLastBackup(database.db, { at: io.clock(), failure }).catch((cause: unknown) =>
      io.note(`The failure of this backup could not be recorded: ${cause}`),
    )
    throw error
  }
}

type BackupWrite = BackupRequest & { readonly key: MasterKey; readonly counted: Counted }

async function write(io: Io, { snapshot, database, file, key, withKey, counted }: BackupWrite): Promise<number> {
  const box = createBox(key)
  await refuseWrongKey(box, database)
  const migrations = await snapshot.listMigrations()
  const head = {
    version: VERSION,
    made_at: new Date(io.clock()).toISOString(),
    database: snapshot.kind,
    migrations: [...migrations],
    key_id: box.keyId,
    ...(withKey && { master_key: Buffer.from(key.reveal()).toString('base64') }),
  }
  return writeBackupFile(file, writeLines({ snapshot, head, box }, counted))
}

/** Neither key opens all of its values. */
function refuseDuringRotation(config: Config): void {
  if (!isRotating(config)) return
  throw new CannotStart(
    'The master key is being changed, or a change was broken off. Let it end first, or run: shipway-server keys rotate',
  )
}

/** Otherwise a backup made with the wrong key would be noticed only on the day it is needed. */
async function refuseWrongKey(box: Box, { db }: Database): Promise<void> {
  if ((await findSetting(db, 'canary')) === undefined) {
    throw new CannotStart('This database belongs to no platform yet. Start the platform once before the first backup.')
  }
  await verifyMasterKey(box, {
    get: () => findSetting(db, 'canary'),
    set: (value) => insertSettingOnce(db, 'canary', value),
  })
}

const WITHOUT_KEY =
  'The master key is not in it. Without the key, the secrets of this backup cannot be opened: keep the key too, in another place.'
const WITH_KEY = 'It contains the master key: a reader of the file has every secret. Keep it like the key itself.'
