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
  resolveAlert,
  type StoredAlert,
  updateAlertNotified,
} from '../../store/alerts/alerts.ts'
import type { Change } from '../../store/change.ts'
import { insertChannelMessage } from '../../store/channels/channel-queue.ts'
import { allowMail } from '../people/allow-mail.ts'
import type { AlertSubject } from './finding.ts'

type NewAlert = { readonly alert: AlertSubject; readonly key: AlertKey; readonly isSilenced: boolean }

/** One of a silenced environment is recorded; channels get it once the silence ends. */
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
      isNotified: !isSilenced,
      openedAt,
    })
    if (id === undefined || isSilenced) return
    await mailRecipients(ctx, tx, { alert, compose: alertMail })
    const event = 'alert.opened'
    await queueChannelMessages(tx, { ...alert, id, event, openedAt, at: openedAt, words: wordsOf(alert, event) })
  })
}

type KnownAlert = { readonly alert: AlertSubject; readonly open: StoredAlert }

/** Its environment is no longer silenced. */
export async function notifyOfAlert(ctx: Context, { alert, open }: KnownAlert): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    if (!(await updateAlertNotified(tx, open))) return
    await mailRecipients(ctx, tx, { alert, compose: alertMail })
    const event = 'alert.opened'
    await queueChannelMessages(tx, { ...open, event, at: ctx.clock(), words: wordsOf(alert, event) })
  })
}

/** Channels that got no message about the alert get none about its end. */
export async function endAlert(ctx: Context, { alert, open }: KnownAlert): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    const at = ctx.clock()
    if (!(await resolveAlert(tx, open, at)) || !open.isNotified) return
    await mailRecipients(ctx, tx, { alert, compose: alertOverMail })
    const event = 'alert.resolved'
    await queueChannelMessages(tx, { ...open, event, at, words: wordsOf(alert, event) })
  })
}

/**
 * Its subject was deleted or is no longer measured, or its rule was turned off. Channels that got it get a message that it is over;
 * people need no mail.
 */
export async function dropAlert(ctx: Context, open: StoredAlert): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    const at = ctx.clock()
    if (!(await resolveAlert(tx, open, at)) || !open.isNotified) return
    const words = {
      title: 'An alert has ended',
      text: `${open.subject} is no longer checked. The alert was: ${open.message}`,
      subject: open.subject,
      message: open.message,
    }
    await queueChannelMessages(tx, { ...open, event: 'alert.resolved', at, words })
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

type SentAlert = Pick<StoredAlert, 'id' | 'rule' | 'organizationId' | 'page' | 'openedAt'> & {
  readonly event: Extract<ChannelMessage['event'], `alert.${string}`>
  readonly at: number
  readonly words: {
    readonly title: string
    readonly text: string
    readonly subject: string
    readonly message: string
  }
}

function wordsOf(alert: AlertSubject, event: SentAlert['event']): SentAlert['words'] {
  const { subject, opened, resolved } = describeAlert(alert, plainText)
  return event === 'alert.opened'
    ? { title: opened.title, text: `${opened.sentence} ${opened.advice}`, subject, message: opened.sentence }
    : { title: resolved.title, text: resolved.sentence, subject, message: resolved.sentence }
}

async function queueChannelMessages(
  tx: Change,
  { id, rule, organizationId, page, openedAt, event, at, words }: SentAlert,
): Promise<void> {
  if (organizationId === null) return
  const { severity } = ALERT_RULES[rule]
  const { title, text, subject, message } = words
  const resolved_at = event === 'alert.opened' ? null : timeOf(at)
  await insertChannelMessage(tx, organizationId, {
    event,
    severity,
    title,
    text,
    page,
    at,
    data: {
      alert: { id, rule, subject, severity, message, opened_at: timeOf(openedAt), resolved_at },
      organization_id: organizationId,
    },
  })
}

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString()
