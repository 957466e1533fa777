// Checks that the platform can work: its database answers, and its data folder has room for what it writes.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import { DatabaseUnavailable, DiskFull } from '../../domain/errors.ts'
import { findSetting } from '../../store/settings.ts'

/** Less than a deployment writes. */
const MIN_BYTES = 16 * 1024 ** 2

/** Throws `unavailable`. */
export async function checkReadiness({ db, config }: Pick<Context, 'db' | 'config'>): Promise<void> {
  await findSetting(db, 'canary').catch((cause: unknown) => {
    throw DatabaseUnavailable(cause)
  })
  // With PostgreSQL the folder is created when the first repository is fetched.
  if (!existsSync(config.dataFolder)) return
  const { bavail, bsize } = await statfs(config.dataFolder)
  if (bavail * bsize < MIN_BYTES) throw DiskFull()
}
