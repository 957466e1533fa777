// Opens and resolves alerts. The row, its mails and its messages to channels are one transaction, so each is sent once.
import { ALERT_RULES } from '@shipway/api/oversight/alerts'
import type { Context } from '../../context.ts'
import { type AlertFacts, describeAlert } from '../../domain/alert-wording.ts'
import { type ChannelMessage, plainText } from '../../domain/channels/channel-message.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { alertMail, alertOverMail } from '../../mail/alert.ts'
import type { Mail } from '../../mail/mailer.ts'
import {
  type AlertKey,
  insertAlert,
  listAlertReceivers,
  type OpenAlert,
  resolveAlert,
  updateAlertTold,
} from '../../store/alerts/alerts.ts'
import type { Change } from '../../store/change.ts'
import { insertChannelMessage } from '../../store/channels/channel-queue.ts'
import { allowMail } from '../people/allow-mail.ts'
import type { AlertSubject } from './finding.ts'

type NewAlert = { readonly alert: AlertSubject; readonly key: AlertKey; readonly isSilenced: boolean }

/** One of a silenced environment is recorded, and told once the silence ends. */
export async function raiseAlert(ctx: Context, { alert, key, isSilenced }: NewAlert): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    const openedAt = ctx.clock()
    const { subject, opened } = describeAlert(alert, plainText)
    const id = await insertAlert(tx, {
      ...key,
      organizationId: alert.organizationId,
      environmentId: alert.environmentId ?? null,
      severity: ALERT_RULES[alert.rule].severity,
      subject,
      message: opened.sentence,
      page: alert.page,
      isTold: !isSilenced,
      openedAt,
    })
    if (id === undefined || isSilenced) return
    await mailRecipients(ctx, tx, { alert, compose: alertMail })
    await tellChannels(tx, { alert, event: 'alert.opened', id, openedAt, at: openedAt })
  })
}

type KnownAlert = { readonly alert: AlertSubject; readonly open: OpenAlert }

/** Its environment is no longer silenced. */
export async function tellOfAlert(ctx: Context, { alert, open }: KnownAlert): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    if (!(await updateAlertTold(tx, open))) return
    await mailRecipients(ctx, tx, { alert, compose: alertMail })
    await tellChannels(tx, { alert, event: 'alert.opened', ...open, at: ctx.clock() })
  })
}

/** Whoever was not told of the alert is not told of its end. */
export async function endAlert(ctx: Context, { alert, open }: KnownAlert): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    const at = ctx.clock()
    if (!(await resolveAlert(tx, open, at)) || !open.isTold) return
    await mailRecipients(ctx, tx, { alert, compose: alertOverMail })
    await tellChannels(tx, { alert, event: 'alert.resolved', ...open, at })
  })
}

type AlertRecipients = {
  readonly alert: AlertSubject
  readonly compose: (to: string, alert: AlertFacts, link: string) => Mail
}

/** A user with too many alerts lately gets no mail; the dashboard shows the alert. */
async function mailRecipients(ctx: Context, tx: Change, { alert, compose }: AlertRecipients): Promise<void> {
  if (!alert.isMailed) return
  for (const to of await listAlertReceivers(tx, alert.organizationId)) {
    const mail = await allowMail(ctx, tx, { kind: 'alert', to })
    await mail?.queue(compose(to, alert, `${ctx.config.baseUrl}${alert.page}`))
  }
}

type ToldAlert = {
  readonly alert: AlertSubject
  readonly event: Extract<ChannelMessage['event'], `alert.${string}`>
  readonly id: number
  readonly openedAt: number
  readonly at: number
}

async function tellChannels(tx: Change, { alert, event, id, openedAt, at }: ToldAlert): Promise<void> {
  if (alert.organizationId === null) return
  const { severity } = ALERT_RULES[alert.rule]
  const wording = describeAlert(alert, plainText)
  const isOpen = event === 'alert.opened'
  const { title, sentence } = isOpen ? wording.opened : wording.resolved
  await insertChannelMessage(tx, alert.organizationId, {
    event,
    severity,
    title,
    text: isOpen ? `${sentence} ${wording.opened.advice}` : sentence,
    page: alert.page,
    at,
    data: {
      alert: {
        id,
        rule: alert.rule,
        subject: wording.subject,
        severity,
        message: sentence,
        opened_at: timeOf(openedAt),
        resolved_at: isOpen ? null : timeOf(at),
      },
      organization_id: alert.organizationId,
    },
  })
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()
