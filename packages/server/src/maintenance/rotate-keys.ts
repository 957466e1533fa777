/**
 * `keys rotate`: seals everything with another master key, while the platform is stopped.
 *
 * If the key is a file of the data folder, the command creates a new one as `master.key.next`, seals everything again, and then replaces
 * the old file. If it is killed in between, the next run continues with the same new key, and the platform refuses to start until then.
 * If the settings give the key, they name the new and the previous one, and the command only seals again.
 */
import { existsSync } from 'node:fs'
import { link, rename, stat } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { CannotStart } from '../domain/cannot-start.ts'
import { rotateMasterKey } from '../operations/installation/rotate-master-key.ts'
import { type Box, createBox } from '../secrets/box.ts'
import { type MasterKey, makeKeyFile, masterKeyFileOf, nextKeyFileOf, readKeyFile } from '../secrets/master-key.ts'
import { inDataFolder, openDataFolder } from '../store/data-folder.ts'
import type { Database } from '../store/database.ts'
import { countOtherProcesses } from '../store/postgres/other-processes.ts'
import { type Command, EXIT, type Io } from './command.ts'
import { findPreviousKey, loadOwnKey } from './keys.ts'
import { withDatabase } from './with-database.ts'

export const rotateKeys: Command = {
  usage: 'keys rotate',
  summary: 'Seal everything with a new master key, while the platform is stopped',
  examples: [
    'systemctl stop shipway && shipway-server keys rotate && systemctl start shipway',
    'SHIPWAY_MASTER_KEY_FILE=new.key SHIPWAY_MASTER_KEY_PREVIOUS_FILE=old.key shipway-server keys rotate',
  ],
  run: (io) =>
    inDataFolder(io.config.dataFolder, async () => {
      const folder = io.config.databaseUrl === undefined ? openDataFolder(io.config.dataFolder) : undefined
      try {
        return await withDatabase(io.config, (database) => rotate(io, database))
      } finally {
        folder?.close()
      }
    }),
}

async function rotate(io: Io, database: Database): Promise<number> {
  await refuseOthers(database)
  const { config } = io
  const previous = await findPreviousKey(config)
  if (previous) {
    const code = await sealAgain(io, database, createBox(await loadOwnKey(config), [previous]))
    io.note('Take the previous key out of the settings now; the platform does not need it any more')
    return code
  }
  if (config.masterKey !== undefined || config.masterKeyFile !== undefined) {
    throw new CannotStart(
      'The settings give the master key. Set the new one as SHIPWAY_MASTER_KEY_FILE and the current one as ' +
        'SHIPWAY_MASTER_KEY_PREVIOUS_FILE, and run this again. Make a new one with: openssl rand -base64 32',
    )
  }
  return rotateFile(io, database, await loadOwnKey(config))
}

async function rotateFile(io: Io, database: Database, current: MasterKey): Promise<number> {
  const path = masterKeyFileOf(io.config.dataFolder)
  const nextPath = nextKeyFileOf(io.config.dataFolder)
  await makeKeyFile(nextPath)
  const next = await readKeyFile(nextPath)
  if (!next) throw new CannotStart(`${nextPath} vanished while it was made. Run this again.`)
  const code = await sealAgain(io, database, createBox(next, [current]))
  const kept = await keepKeyFile(path)
  await rename(nextPath, path)
  io.note(`The new key is ${path}. Backups from before need the earlier one, which is kept as ${kept}`)
  return code
}

/** Keeps every earlier key, because older backups need it. The names are `.previous`, `.previous.2`, and so on. */
async function keepKeyFile(path: string): Promise<string> {
  const { ino } = await stat(path)
  for (let number = 1; ; number++) {
    const kept = `${path}.previous${number === 1 ? '' : `.${number}`}`
    if (!existsSync(kept)) {
      await link(path, kept)
      return kept
    }
    // A run that was killed after this step has kept it already.
    if ((await stat(kept)).ino === ino) return kept
  }
}

async function sealAgain(io: Io, { db }: Database, box: Box): Promise<number> {
  const { sealedAgain, unreadable } = await rotateMasterKey({ db, box })
  io.say(`${sealedAgain} values are sealed with the new master key`)
  for (const place of unreadable) io.say(`Neither key opens it, set it again: ${place}`)
  return unreadable.length > 0 ? EXIT.failed : EXIT.done
}

async function refuseOthers(database: Database): Promise<void> {
  const others = await countOtherProcesses(database)
  if (others === 0) return
  throw new CannotStart(
    `The platform runs on this database (${others} connections). Stop all of its processes first: they would go on sealing with the earlier key.`,
  )
}

/** For the start of the platform: some values may be sealed with the old key and others with the new one. */
export function refuseUnfinishedRotation(config: Config): void {
  if (!isRotating(config)) return
  throw new CannotStart('A change of the master key was broken off in the middle. Run: shipway-server keys rotate')
}

/** Also after a change that was broken off. */
export const isRotating = ({ dataFolder, masterKey, masterKeyFile }: Config): boolean =>
  masterKey === undefined && masterKeyFile === undefined && existsSync(nextKeyFileOf(dataFolder))
