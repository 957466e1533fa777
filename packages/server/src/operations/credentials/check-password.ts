// Checks a password with the same work for every e-mail, known or not, and limits wrong guesses.
import type { Context } from '../../context.ts'
import { InvalidCredentials } from '../../domain/errors.ts'
import type { Origin } from '../../domain/people/actor.ts'
import { refundAll } from '../../scheduling/rate-limiter.ts'
import type { KnownDevice } from '../../secrets/known-device.ts'
import { verifyPassword } from '../../secrets/password.ts'
import { insertAuditEvent } from '../../store/audit-events.ts'
import type { Account } from '../../store/people/users.ts'
import { countGuess } from './count-guess.ts'

type SignInAttempt = {
  readonly emailKey: string
  readonly password: string
  /** Undefined if no account has this e-mail. */
  readonly account: Account | undefined
  readonly origin: Origin
  readonly device: KnownDevice | undefined
}

export async function checkPassword(ctx: Context, claim: SignInAttempt): Promise<Account> {
  const { account, origin } = claim
  if (!(await isRight(ctx, claim)) || !account) {
    // Recorded after the response: the time it takes would reveal that the account exists.
    if (account) ctx.afterwards(() => noteRefusal(ctx, account, origin))
    throw InvalidCredentials()
  }
  return account
}

/** Only a wrong password counts as a guess: not a correct one, nor one that was never checked. */
async function isRight(ctx: Context, { emailKey, password, account, origin, device }: SignInAttempt): Promise<boolean> {
  const guess = { emailKey, userId: account?.id, address: origin.address, device }
  const { counts, isFromKnownDevice } = await countGuess(ctx, guess)
  let isGuess = false
  try {
    isGuess = !(await verifyPassword(password, account?.passwordHash, { isTrusted: isFromKnownDevice }))
    return !isGuess
  } finally {
    if (!isGuess) refundAll(counts)
  }
}

function noteRefusal(ctx: Context, account: Account, origin: Origin): Promise<void> {
  return insertAuditEvent(ctx.db, {
    actor: undefined,
    origin,
    organizationId: null,
    action: 'password.refused',
    target: { kind: 'user', id: account.id, name: account.name },
    at: ctx.clock(),
  })
}
