// Whether the records were restored from a backup and still await an operator's review.
import type { Kysely } from 'kysely'
import { CannotStart } from '../../domain/cannot-start.ts'
import { deleteSetting, findSetting, updateSetting } from '../settings.ts'
import type { Tables } from '../tables/tables.ts'

const UNFINISHED = 'unfinished'

export const updateUnfinishedRestore = (db: Kysely<Tables>): Promise<void> =>
  updateSetting(db, 'restored_at', UNFINISHED)

export const isUnfinishedRestore = async (db: Kysely<Tables>): Promise<boolean> =>
  (await findSetting(db, 'restored_at')) === UNFINISHED

export async function refuseUnfinishedRestore(db: Kysely<Tables>): Promise<void> {
  if (!(await isUnfinishedRestore(db))) return
  throw new CannotStart('A restore was broken off in the middle. Empty the database, and restore the backup again.')
}

/**
 * After a restore the platform does what users ask for, and no automatic deployments or removals: what was made after the backup is
 * unknown to it and would be removed as an orphan.
 */
export async function isAwaitingReview(db: Kysely<Tables>): Promise<boolean> {
  return (await findSetting(db, 'restored_at')) !== undefined
}

/** False if no review was pending. */
export async function confirmReview(db: Kysely<Tables>): Promise<boolean> {
  const value = await findSetting(db, 'restored_at')
  return value !== undefined && (await deleteSetting(db, 'restored_at', value))
}
