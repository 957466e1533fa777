/**
 * The only way to queue mails. Limits count the recipient, not the caller: no number of callers can flood a mailbox. The
 * counters are in the database, for all processes together, and by a keyed digest of the address, so that addresses without an
 * account are not stored.
 */
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import type { Mail } from '../../mail/mailer.ts'
import type { Change } from '../../store/change.ts'
import { deleteCountersBefore, type Quota, takeFromQuota } from '../../store/credentials/counters.ts'
import { writeMail } from '../mails/sealed-mail.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Limits by kind and recipient, and how long sending is retried. A reset from the owner's own browser is counted apart, so
 * that strangers cannot use it up; its link ends after an hour.
 */
const KINDS = {
  password_reset: { perHour: 3, perDay: 10, lifeMs: HOUR_MS },
  password_reset_known: { perHour: 3, perDay: 10, lifeMs: HOUR_MS },
  invitation: { perHour: 3, perDay: 10, lifeMs: DAY_MS },
  transfer: { perHour: 10, perDay: 30, lifeMs: DAY_MS },
  second_factor: { perHour: 5, perDay: 10, lifeMs: DAY_MS },
  alert: { perHour: 20, perDay: 60, lifeMs: DAY_MS },
  deployment: { perHour: 20, perDay: 100, lifeMs: DAY_MS },
  channel: { perHour: 30, perDay: 100, lifeMs: DAY_MS },
} as const
const INVITATIONS_PER_DAY = 100

type Intent = {
  readonly kind: keyof typeof KINDS
  readonly to: string
  /** Sends to people without an account, so the sender is counted, too. */
  readonly organizationId?: number
}

/** Only for the recipient that was counted, in whatever spelling. */
export type AllowedMail = { readonly queue: (mail: Mail) => Promise<void> }

/** Undefined if there were too many lately. Runs in the transaction of the change that causes the mail. */
export async function allowMail(ctx: Context, tx: Change, intent: Intent): Promise<AllowedMail | undefined> {
  const now = ctx.clock()
  const { kind, to } = intent
  if (ctx.mail.isSetUp) {
    ctx.afterwards(() => deleteCountersBefore(ctx.db, now - DAY_MS))
    for (const quota of quotasOf(ctx, intent)) {
      if (!(await takeFromQuota(tx, quota, now))) return undefined
    }
  }
  return {
    queue: async (mail) => {
      if (sameEmailKey(mail.to) !== sameEmailKey(to)) throw new Error('A mail was allowed to another address')
      await writeMail(ctx, tx, { kind, mail, lifeMs: KINDS[kind].lifeMs })
    },
  }
}

function quotasOf(ctx: Context, { kind, to, organizationId }: Intent): readonly Quota[] {
  const receiver = ctx.box.fingerprint(`mail to ${sameEmailKey(to)}`)
  const { perHour, perDay } = KINDS[kind]
  return [
    { key: `${kind} hour ${receiver}`, most: perHour, windowMs: HOUR_MS },
    { key: `${kind} day ${receiver}`, most: perDay, windowMs: DAY_MS },
    ...(organizationId === undefined
      ? []
      : [{ key: `${kind} organization ${organizationId}`, most: INVITATIONS_PER_DAY, windowMs: DAY_MS }]),
  ]
}
