// Stores the codes and tokens that the OAuth server issues, and their use.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import {
  deleteExpiredOauthRecords,
  deleteOauthRecord,
  insertOauthRecord,
  lockOauthGrant,
  type NewOauthRecord,
  updateDevicePolled,
  updateOauthRecordConsumed,
} from '../../store/credentials/oauth-records.ts'

/** False when the grant that the record belongs to was revoked meanwhile: then there must be no token of it either. */
export async function keepOauthRecord(ctx: Context, record: NewOauthRecord): Promise<boolean> {
  const { grantDigest } = record
  const isKept = await ctx.change(PLATFORM, async (tx) => {
    if (grantDigest !== null && !(await lockOauthGrant(tx, grantDigest))) return false
    await insertOauthRecord(tx, record)
    return true
  })
  // Deletes a few expired records with each new one. An hour late, so that late clients still learn of the expiry.
  await deleteExpiredOauthRecords(ctx.db, ctx.clock() - HOUR_MS, SWEPT_AT_ONCE)
  return isKept
}

/** True for the one caller that uses the code or token first, however many come at once. */
export async function consumeOauthRecord(ctx: Context, kind: string, idDigest: string): Promise<boolean> {
  return updateOauthRecordConsumed(ctx.db, { kind, idDigest }, ctx.clock())
}

export async function recordDevicePoll(ctx: Context, idDigest: string): Promise<void> {
  await updateDevicePolled(ctx.db, idDigest, ctx.clock())
}

export async function forgetOauthRecord(ctx: Context, kind: string, idDigest: string): Promise<void> {
  await deleteOauthRecord(ctx.db, kind, idDigest)
}

const HOUR_MS = 3_600_000
const SWEPT_AT_ONCE = 100
