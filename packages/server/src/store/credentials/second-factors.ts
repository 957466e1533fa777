// Rows of second_factors and recovery_codes. Every writer has locked the user.
import type { Kysely } from 'kysely'
import { type EncryptionContext, secondFactorContext } from '../../domain/encryption-context.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type SecondFactor = {
  readonly secretSealed: string
  readonly place: EncryptionContext
  readonly createdAt: number
  /** Null while no code has shown that the device has the secret. */
  readonly confirmedAt: number | null
  /** The time step of the newest code that was used. */
  readonly lastStep: number
}

export async function findSecondFactor(db: Kysely<Tables>, userId: number): Promise<SecondFactor | undefined> {
  const row = await db.selectFrom('second_factors').where('user_id', '=', userId).selectAll().executeTakeFirst()
  return (
    row && {
      secretSealed: row.secret_sealed,
      place: secondFactorContext(row.key_id),
      createdAt: row.created_at,
      confirmedAt: row.confirmed_at,
      lastStep: row.last_step,
    }
  )
}

/** Those that were not used yet. */
export async function listRecoveryDigests(db: Kysely<Tables>, userId: number): Promise<readonly string[]> {
  const rows = await db.selectFrom('recovery_codes').where('user_id', '=', userId).select('code_digest').execute()
  return rows.map(({ code_digest }) => code_digest)
}

type NewSecondFactor = {
  readonly userId: number
  readonly keyId: string
  readonly secretSealed: string
  readonly now: number
}

/** In place of one that was never confirmed. False if one is on. */
export async function insertSecondFactor(tx: Change, values: NewSecondFactor): Promise<boolean> {
  const { userId, keyId, secretSealed, now } = values
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).where('confirmed_at', 'is', null).execute()
  const inserted = await tx
    .insertInto('second_factors')
    .values({ user_id: userId, key_id: keyId, secret_sealed: secretSealed, created_at: now, confirmed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** True for the one caller who confirms it. */
export async function updateSecondFactorConfirmed(tx: Change, userId: number, now: number): Promise<boolean> {
  const confirmed = await tx
    .updateTable('second_factors')
    .set({ confirmed_at: now })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return confirmed !== undefined
}

/** True for the one caller who uses the code of this step; later callers get false. */
export async function updateLastStep(tx: Change, userId: number, step: number): Promise<boolean> {
  const used = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return used !== undefined
}

/** In place of all earlier ones. */
export async function insertRecoveryCodes(tx: Change, userId: number, digests: readonly string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(digests.map((digest) => ({ user_id: userId, code_digest: digest })))
    .execute()
}

/** True for the one caller who uses it up. */
export async function deleteRecoveryCode(tx: Change, userId: number, digest: string): Promise<boolean> {
  const used = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_digest', '=', digest)
    .returning('user_id')
    .executeTakeFirst()
  return used !== undefined
}

/** With its recovery codes. False if none was confirmed. */
export async function deleteSecondFactor(tx: Change, userId: number): Promise<boolean> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const deleted = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return deleted !== undefined && deleted.confirmed_at !== null
}
