// Mails a link to choose a new password, after the response: neither its text nor its time reveals who has an account.
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { anonymous, type Origin } from '../../domain/people/actor.ts'
import { passwordResetMail } from '../../mail/password-reset.ts'
import { isDeviceOf, type KnownDevice } from '../../secrets/known-device.ts'
import { Secret } from '../../secrets/secret.ts'
import { newToken } from '../../secrets/token.ts'
import type { Change } from '../../store/change.ts'
import { deletePasswordResetsOf, insertPasswordReset } from '../../store/credentials/password-resets.ts'
import { type Account, findAccountByEmail, lockUser } from '../../store/people/users.ts'
import { allowMail } from '../people/allow-mail.ts'

const RESET_LIFE_MS = 60 * 60_000

type ResetRequest = { readonly email: string; readonly origin: Origin; readonly device?: KnownDevice | undefined }

export function requestPasswordReset(ctx: Context, request: ResetRequest): void {
  ctx.afterwards(() => sendLink(ctx, request))
}

async function sendLink(ctx: Context, { email, origin, device }: ResetRequest): Promise<void> {
  if (!ctx.mail.isSetUp && !ctx.mail.hasMailbox) {
    ctx.log.warn('A user asked for a new password, and no mail is set up to send the link. Set SHIPWAY_SMTP_URL')
    return
  }
  const emailKey = sameEmailKey(email)
  const kind = device && isDeviceOf(ctx.box, device, emailKey) ? 'password_reset_known' : 'password_reset'
  await ctx.change(anonymous(origin), async (tx) => {
    // Counted for unknown addresses too: the remaining quota must not reveal who has an account.
    const mail = await allowMail(ctx, tx, { kind, to: email })
    const account = await findAccountByEmail(tx, emailKey)
    if (!account || !mail) return
    const link = await createLink(ctx, tx, account)
    await mail.queue(passwordResetMail({ to: account.email, baseUrl: ctx.config.baseUrl, link }))
  })
}

/** Ends the link before. */
export async function createLink(
  ctx: Pick<Context, 'clock' | 'config'>,
  tx: Change,
  account: Account,
): Promise<Secret> {
  const { token, digest } = newToken('shw_reset_')
  const now = ctx.clock()
  await lockUser(tx, account.id)
  await deletePasswordResetsOf(tx, account.id)
  await insertPasswordReset(tx, {
    user_id: account.id,
    token_digest: digest,
    created_at: now,
    expires_at: now + RESET_LIFE_MS,
  })
  await tx.audit({
    organizationId: null,
    action: 'password_reset.requested',
    target: { kind: 'user', id: account.id, name: account.name },
  })
  // After the #, so that it is never sent in a request; and never on a host that a request names.
  return new Secret(`${ctx.config.baseUrl}/password-reset#token=${token.reveal()}`)
}
