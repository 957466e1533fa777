// Checks that the platform can work: its database answers, and its data folder has room for what it writes.
import type { Context } from '../../context.ts'
import { DatabaseUnavailable, DiskFull } from '../../domain/errors.ts'
import { findSetting } from '../../store/settings.ts'
import { findFreeBytes } from './free-disk.ts'

/** Less than a deployment writes. */
const MIN_BYTES = 16 * 1024 ** 2

/** Throws `unavailable`. */
export async function checkReadiness(ctx: Pick<Context, 'db' | 'config'>): Promise<void> {
  await findSetting(ctx.db, 'canary').catch((cause: unknown) => {
    throw DatabaseUnavailable(cause)
  })
  const free = await findFreeBytes(ctx)
  if (free !== undefined && free < MIN_BYTES) throw DiskFull()
}
