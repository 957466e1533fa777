// The master key for commands: found, never made, since a key that is new opens nothing.
import type { Config } from '../config.ts'
import { CannotStart } from '../domain/cannot-start.ts'
import { findMasterKey, type MasterKey } from '../secrets/master-key.ts'

export const findOwnKey = ({ dataFolder, masterKey: key, masterKeyFile: keyFile }: Config) =>
  findMasterKey(settingsOf({ dataFolder, key, keyFile }))

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

type Given = { readonly dataFolder: string; readonly key: string | undefined; readonly keyFile: string | undefined }

const settingsOf = ({ dataFolder, key, keyFile }: Given) => ({
  dataFolder,
  ...(key !== undefined && { key }),
  ...(keyFile !== undefined && { keyFile }),
})
