// The records behind `Idempotency-Key`: the first request claims the key, later ones get its response.
import type { Context } from '../../context.ts'
import {
  deleteIdempotencyKey,
  deleteIdempotencyKeysBefore,
  findIdempotencyKey,
  insertIdempotencyKey,
  takeOverIdempotencyKey,
  updateIdempotencyAnswer,
} from '../../store/idempotency-keys.ts'

/** `claimedAt` tells a claim that was taken over from the earlier claim. */
type IdempotencyClaim = {
  readonly userId: number
  readonly key: string
  readonly requestDigest: string
  readonly claimedAt: number
}
type EarlierUse =
  | { readonly state: 'answered'; readonly body: string; readonly headers: Record<string, string> }
  | { readonly state: 'running' }
  | { readonly state: 'other_request' }

const KEPT_MS = 24 * 60 * 60_000
/** A claim without a response after this long belonged to a process that died; the next request takes it over. */
const ABANDONED_MS = 60_000

/** Undefined: the key is the caller's now. */
export async function claimIdempotencyKey(ctx: Context, claim: IdempotencyClaim): Promise<EarlierUse | undefined> {
  await deleteIdempotencyKeysBefore(ctx.db, claim.claimedAt - KEPT_MS)
  if (await insertIdempotencyKey(ctx.db, claim)) return undefined
  const earlier = await findIdempotencyKey(ctx.db, claim)
  if (!earlier) return { state: 'running' }
  if (earlier.requestDigest !== claim.requestDigest) return { state: 'other_request' }
  if (earlier.answer) return { state: 'answered', ...earlier.answer }
  const isMine = await takeOverIdempotencyKey(ctx.db, claim, claim.claimedAt - ABANDONED_MS)
  return isMine ? undefined : { state: 'running' }
}

export async function keepIdempotentAnswer(
  ctx: Context,
  claim: IdempotencyClaim,
  answer: { body: string; headers: Readonly<Record<string, string>> },
): Promise<void> {
  await updateIdempotencyAnswer(ctx.db, claim, answer)
}

export async function releaseIdempotencyKey(ctx: Context, claim: IdempotencyClaim): Promise<void> {
  await deleteIdempotencyKey(ctx.db, claim)
}
