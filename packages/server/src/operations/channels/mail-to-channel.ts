// Sends one message of a channel by mail. Counted by recipient, as every mail is.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { channelMail } from '../../mail/channel.ts'
import { MailRefused } from '../../mail/mailer.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { allowMail } from '../people/allow-mail.ts'
import type { ChannelOutcome, SentMessage } from './channel-outcome.ts'

export async function mailToChannel(
  ctx: Context,
  channel: Channel,
  { key, message }: SentMessage,
  signal: AbortSignal,
): Promise<ChannelOutcome> {
  const to = channel.recipient ?? ''
  const mail = channelMail({ to, message, channel: channel.name, link: `${ctx.config.baseUrl}${message.page}` })
  if (!ctx.mail.isSetUp && !ctx.mail.hasMailbox) return failure('No mail server is set up', { isFinal: true })
  const isAllowed = await ctx.change(PLATFORM, async (tx) => {
    const allowed = await allowMail(ctx, tx, { kind: 'channel', to, organizationId: channel.organizationId })
    if (!ctx.mail.isSetUp) await allowed?.queue(mail)
    return allowed !== undefined
  })
  if (!isAllowed) return failure('This address got too many mails lately', { isFinal: true })
  if (!ctx.mail.isSetUp) return success('No mail server is set up: the mail is in the mailbox of the platform')
  try {
    await ctx.mail.send(mail, { key, signal })
    return success('The mail server accepted the mail')
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : 'unknown'
    return failure(`The mail server did not accept it: ${reason}`, { isFinal: error instanceof MailRefused })
  }
}

const success = (sentence: string): ChannelOutcome => ({ ...NO_ANSWER, isDelivered: true, sentence, isFinal: true })

const failure = (sentence: string, { isFinal }: { readonly isFinal: boolean }): ChannelOutcome => ({
  ...NO_ANSWER,
  isDelivered: false,
  sentence: sentence.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 500),
  isFinal,
})

const NO_ANSWER = { status: null, text: null, retryAfterMs: 0 } as const
