// Checks a password with the same work for every e-mail, known or not, and with few guesses for each.
import type { Context } from '../context.ts'
import type { Origin } from '../domain/actor.ts'
import { InvalidCredentials, RateLimited } from '../domain/errors.ts'
import { verifyPassword } from '../secrets/password.ts'
import { insertAuditEvent } from '../store/audit-events.ts'
import type { Account } from '../store/users.ts'

type Claim = {
  readonly emailKey: string
  readonly password: string
  /** Undefined where the e-mail is nobody's. */
  readonly account: Account | undefined
  readonly origin: Origin
}

export async function checkPassword(ctx: Context, { emailKey, password, account, origin }: Claim): Promise<Account> {
  const waitMs = ctx.attempts.signIn.take(emailKey, ctx.clock())
  if (waitMs > 0) throw RateLimited(Math.ceil(waitMs / 1000), { name: 'account', ...ctx.attempts.signIn.limit })
  if (!(await isRight(ctx, emailKey, () => verifyPassword(password, account?.passwordHash))) || !account) {
    // Written down after answering: the time it takes would tell that there is such an account.
    if (account) ctx.afterwards(() => noteRefusal(ctx, account, origin))
    throw InvalidCredentials()
  }
  return account
}

/** Only a wrong password counts as a guess: not a right one, nor one that was never looked at. */
async function isRight(ctx: Context, emailKey: string, verify: () => Promise<boolean>): Promise<boolean> {
  let isGuess = false
  try {
    isGuess = !(await verify())
    return !isGuess
  } finally {
    if (!isGuess) ctx.attempts.signIn.giveBack(emailKey)
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
