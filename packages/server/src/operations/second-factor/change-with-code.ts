/**
 * A change by a user whose password was just verified, with a code if the account requires one. The code is
 * used up in the same transaction: of two concurrent requests with one code, one succeeds. Wrong codes count as guesses, like
 * wrong passwords.
 */
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { AppError, InvalidCredentials } from '../../domain/errors.ts'
import type { ChangedBy } from '../../domain/people/actor.ts'
import { refundAll } from '../../scheduling/rate-limiter.ts'
import type { KnownDevice } from '../../secrets/known-device.ts'
import { insertAuditEvent } from '../../store/audit-events.ts'
import type { Change } from '../../store/change.ts'
import { type Account, lockAccount } from '../../store/people/users.ts'
import { countGuess } from '../credentials/count-guess.ts'
import { takeCode } from './take-code.ts'

export type CheckedPassword = {
  readonly by: ChangedBy
  /** With the password that was checked. */
  readonly account: Account
  readonly otp: string | undefined
  readonly device: KnownDevice | undefined
}

export function changeWithCode<Result>(
  ctx: Context,
  proven: CheckedPassword,
  work: (tx: Change) => Promise<Result>,
): Promise<Result> {
  const { by, account, otp } = proven
  return countingWrongCodes(ctx, proven, () =>
    ctx.change(by, async (tx) => {
      // A password that was changed meanwhile has ended every sign-in; nothing of the old one may outlive it.
      if (!(await lockAccount(tx, account))) throw InvalidCredentials()
      await takeCode(ctx, tx, { userId: account.id, name: account.name, otp })
      return work(tx)
    }),
  )
}

async function countingWrongCodes<Result>(
  ctx: Context,
  { by, account, otp, device }: CheckedPassword,
  change: () => Promise<Result>,
): Promise<Result> {
  if (otp === undefined) return change()
  const guess = { emailKey: sameEmailKey(account.email), userId: account.id, address: by.origin.address, device }
  // Counted before it is checked, since many may come at once.
  const { counts } = await countGuess(ctx, guess)
  let isGuess = false
  try {
    return await change()
  } catch (error) {
    isGuess = error instanceof AppError && error.code === 'invalid_otp'
    if (isGuess) ctx.afterwards(() => noteRefusal(ctx, account, by))
    throw error
  } finally {
    if (!isGuess) refundAll(counts)
  }
}

/** An attacker may have the password but not the device: the owner should know. */
function noteRefusal(ctx: Context, account: Account, { origin }: ChangedBy): Promise<void> {
  return insertAuditEvent(ctx.db, {
    actor: undefined,
    origin,
    organizationId: null,
    action: 'second_factor.refused',
    target: { kind: 'user', id: account.id, name: account.name },
    at: ctx.clock(),
  })
}
