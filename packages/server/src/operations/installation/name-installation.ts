// A name that tells this installation from others on the same servers: task ids start again with every database.
import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { findSetting, insertSettingOnce } from '../../store/settings.ts'

export async function nameInstallation({ db }: Pick<Context, 'db'>): Promise<string> {
  await insertSettingOnce(db, 'installation_id', randomBytes(6).toString('hex'))
  const id = await findSetting(db, 'installation_id')
  if (id === undefined) throw new Error('The name of this installation was written but cannot be read back')
  return id
}
