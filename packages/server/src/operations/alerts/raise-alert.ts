// Mails an alert to the people who can fix it: once, until it is over. The row and its mails are one transaction.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { type AlertMail, alertMail, alertOverMail } from '../../mail/alert.ts'
import type { Mail } from '../../mail/mailer.ts'
import { deleteAlert, insertAlert, listAlertReceivers } from '../../store/alerts/alerts.ts'
import type { Change } from '../../store/change.ts'
import { allowMail } from '../people/allow-mail.ts'

export type Alert = AlertMail & {
  /** Of the server or certificate; 0 for what concerns the whole platform. */
  readonly targetId: number
  /** Null: for platform administrators. */
  readonly organizationId: number | null
  /** A path of the dashboard. */
  readonly page: string
}

export async function raiseAlert(ctx: Context, alert: Alert): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    if (await insertAlert(tx, alert, ctx.clock())) await mailRecipients(ctx, tx, { alert, compose: alertMail })
  })
}

/** Does nothing if there was no alert. */
export async function endAlert(ctx: Context, alert: Alert): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    if (await deleteAlert(tx, alert)) await mailRecipients(ctx, tx, { alert, compose: alertOverMail })
  })
}

type AlertRecipients = {
  readonly alert: Alert
  readonly compose: (to: string, alert: AlertMail, link: string) => Mail
}

/** A user with too many alerts lately gets no mail; the dashboard shows the alert. */
async function mailRecipients(ctx: Context, tx: Change, { alert, compose }: AlertRecipients): Promise<void> {
  for (const to of await listAlertReceivers(tx, alert.organizationId)) {
    const mail = await allowMail(ctx, tx, { kind: 'alert', to })
    await mail?.queue(compose(to, alert, `${ctx.config.baseUrl}${alert.page}`))
  }
}
