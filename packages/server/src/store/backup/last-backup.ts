// The result of the last backup, for monitoring: a row of settings.
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { findSetting, updateSetting } from '../settings.ts'
import type { Tables } from '../tables/tables.ts'

const LastBackup = z.object({
  succeeded_at: z.number().nullable(),
  bytes: z.number().nullable(),
  failed_at: z.number().nullable(),
  /** What went wrong the last time; null after one that succeeded. */
  failure: z.string().nullable(),
})
export type LastBackup = z.infer<typeof LastBackup>

/** Undefined before the first attempt. */
export async function findLastBackup(db: Kysely<Tables>): Promise<LastBackup | undefined> {
  const text = await findSetting(db, 'last_backup')
  return text === undefined ? undefined : LastBackup.parse(JSON.parse(text))
}

type Outcome = { readonly at: number } & ({ readonly bytes: number } | { readonly failure: string })

export async function updateLastBackup(db: Kysely<Tables>, outcome: Outcome): Promise<void> {
  const before = (await findLastBackup(db)) ?? { succeeded_at: null, bytes: null, failed_at: null, failure: null }
  const after: LastBackup =
    'bytes' in outcome
      ? { ...before, succeeded_at: outcome.at, bytes: outcome.bytes, failure: null }
      : { ...before, failed_at: outcome.at, failure: outcome.failure }
  await updateSetting(db, 'last_backup', JSON.stringify(after))
}
