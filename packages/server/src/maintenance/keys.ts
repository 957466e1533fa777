// Finds the master key by the settings. Commands never create one, because a new key opens nothing.
import type { Config } from '../config.ts'
import { CannotStart } from '../domain/cannot-start.ts'
import { findMasterKey, loadMasterKey, type MasterKey } from '../secrets/master-key.ts'

/** For the start of the platform; the first start creates the key. */
export const loadOrMakeOwnKey = (config: Config): Promise<MasterKey> => loadMasterKey(ownSettings(config))

export const findOwnKey = (config: Config): Promise<MasterKey | undefined> => findMasterKey(ownSettings(config))

export async function loadOwnKey(config: Config): Promise<MasterKey> {
  const key = await findOwnKey(config)
  if (key) return key
  throw new CannotStart(
    `There is no master key in ${config.dataFolder}. Put the master.key of this installation there, ` +
      'or give it as SHIPWAY_MASTER_KEY_FILE.',
  )
}

/** Undefined where no earlier key is set. */
export async function findPreviousKey(config: Config): Promise<MasterKey | undefined> {
  const { dataFolder, previousMasterKey: key, previousMasterKeyFile: keyFile } = config
  return key === undefined && keyFile === undefined
    ? undefined
    : findMasterKey(settingsOf({ dataFolder, key, keyFile }))
}

const ownSettings = ({ dataFolder, masterKey: key, masterKeyFile: keyFile }: Config) =>
  settingsOf({ dataFolder, key, keyFile })

type KeySettings = {
  readonly dataFolder: string
  readonly key: string | undefined
  readonly keyFile: string | undefined
}

const settingsOf = ({ dataFolder, key, keyFile }: KeySettings) => ({
  dataFolder,
  ...(key !== undefined && { key }),
  ...(keyFile !== undefined && { keyFile }),
})
