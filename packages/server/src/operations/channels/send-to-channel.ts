// Sends one message to a channel and returns what came of it, whatever the receiver does. Nothing of the address or token is in that.
import type { Context } from '../../context.ts'
import { plainText } from '../../domain/channels/channel-message.ts'
import { type ChannelRequest, channelRequest } from '../../domain/channels/channel-request.ts'
import { channelContext } from '../../domain/encryption-context.ts'
import { createMask } from '../../secrets/mask.ts'
import type { Secret } from '../../secrets/secret.ts'
import { signMessage } from '../../secrets/signing-secret.ts'
import type { Channel } from '../../store/channels/channels.ts'
import type { ChannelOutcome, SentMessage } from './channel-outcome.ts'
import { mailToChannel } from './mail-to-channel.ts'

/** Rejects only where `signal` ends it. */
export async function sendToChannel(
  ctx: Context,
  channel: Channel,
  sent: SentMessage,
  signal: AbortSignal,
): Promise<ChannelOutcome> {
  if (channel.type === 'mail') return mailToChannel(ctx, channel, sent, signal)
  const secrets = openSecrets(ctx, channel)
  const outcome = await ctx.receivers.send(requestOf(ctx, channel, { ...sent, ...secrets }), signal)
  const hide = createMask(partsOf(secrets)).text
  const text = outcome.text === null ? null : plainText(hide(outcome.text))
  return {
    isDelivered: outcome.error === null,
    sentence: outcome.error === null ? `The receiver answered ${outcome.status}` : hide(outcome.error),
    status: outcome.status,
    text,
    retryAfterMs: Math.max(outcome.retryAfterMs, outcome.status === 429 ? askedInBody(text) : 0),
    isFinal: false,
  }
}

type Secrets = {
  readonly url: Secret | undefined
  readonly token: Secret | undefined
  readonly secret: Secret | undefined
}

function openSecrets(ctx: Context, { sealId, urlSealed, tokenSealed, secretSealed }: Channel): Secrets {
  const open = (sealed: string | null, column: Parameters<typeof channelContext>[1]): Secret | undefined =>
    sealed === null ? undefined : ctx.box.open(sealed, channelContext(sealId, column))
  return {
    url: open(urlSealed, 'url_sealed'),
    token: open(tokenSealed, 'token_sealed'),
    secret: open(secretSealed, 'secret_sealed'),
  }
}

function requestOf(
  ctx: Context,
  { type, recipient }: Channel,
  { key, message, url, token, secret }: SentMessage & Secrets,
): ChannelRequest {
  const target = {
    baseUrl: ctx.config.baseUrl,
    telegramApi: ctx.telegramApi,
    url: url?.reveal() ?? '',
    token: token?.reveal(),
    recipient: recipient ?? '',
  }
  if (type === 'mail') throw new Error('A mailer sends mails')
  if (type !== 'webhook') return channelRequest(type, target, message)
  const { event, at, title, text, page, severity, data } = message
  const body = JSON.stringify({
    type: event,
    timestamp: new Date(at).toISOString(),
    data: { title, text, severity, url: `${ctx.config.baseUrl}${page}`, ...data },
  })
  const timestamp = String(Math.floor(ctx.clock() / 1000))
  const signature = signMessage(secret ? [secret] : [], { id: key, timestamp, body })
  return {
    url: target.url,
    headers: { 'webhook-id': key, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
    body,
  }
}

/** A receiver may quote the path or a parameter of the address, such as "Cannot POST /services/…". */
function partsOf({ url, token, secret }: Secrets): readonly string[] {
  const address = url && new URL(url.reveal())
  const parts = address
    ? [address.href, address.pathname, ...address.pathname.split('/'), ...address.searchParams.values(), address.search]
    : []
  return [...parts, token?.reveal() ?? '', secret?.reveal() ?? ''].filter((part) => part !== '')
}

/** Telegram and Discord say it in the JSON of a 429. */
function askedInBody(text: string | null): number {
  const seconds = /"retry_after":\s*(\d{1,6})/.exec(text ?? '')?.[1]
  return Number(seconds ?? 0) * 1000
}
