// What a channel's receiver is sent: the message in the form that its program reads. User text becomes no markup and no mention.
import type { ChannelType } from '@shipway/api/channels'
import { type ChannelMessage, plainText } from './channel-message.ts'

export type ChannelRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Target = {
  /** Of the platform, without a slash at its end. */
  readonly baseUrl: string
  readonly telegramApi: string
  readonly url: string
  readonly token: string | undefined
  readonly recipient: string
}

/** Mails and webhooks are not here: a mailer sends the first, and the second are signed. */
export type ChatType = Exclude<ChannelType, 'mail' | 'webhook'>

export function channelRequest(type: ChatType, target: Target, message: ChannelMessage): ChannelRequest {
  return REQUESTS[type](target, message)
}

const REQUESTS: Readonly<Record<ChatType, (target: Target, message: ChannelMessage) => ChannelRequest>> = {
  slack: ({ url, baseUrl }, { title, text, page }) => ({
    url,
    headers: {},
    body: JSON.stringify({
      // Shown in notifications. Programs that speak Slack's language read Markdown here, so it holds no user text.
      text: title,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
        { type: 'section', text: { type: 'plain_text', text: plainText(text), emoji: false } },
        { type: 'section', text: { type: 'mrkdwn', text: `<${baseUrl}${page}|Open in Shipway>`, verbatim: true } },
      ],
    }),
  }),
  discord: ({ url, baseUrl }, { title, text, page }) => ({
    url,
    headers: {},
    body: JSON.stringify({
      content: `**${title}**\n${withoutMarkdown(plainText(text))}\n<${baseUrl}${page}>`,
      allowed_mentions: { parse: [] },
    }),
  }),
  telegram: ({ telegramApi, token, recipient, baseUrl }, { title, text, page }) => ({
    url: `${telegramApi}/bot${encodeURI(token ?? '')}/sendMessage`,
    headers: {},
    // Without a parse mode nothing is markup.
    body: JSON.stringify({
      chat_id: recipient,
      text: `${title}\n${withoutMentions(plainText(text))}\n${baseUrl}${page}`,
      link_preview_options: { is_disabled: true },
    }),
  }),
  ntfy: ({ url, token, baseUrl }, { title, text, page, event, severity }) => ({
    url,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: headerText(title),
      priority: event === 'alert.opened' && severity === 'critical' ? 'high' : 'default',
      tags: tagOf(event, severity),
      click: `${baseUrl}${page}`,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: plainText(text),
  }),
}

function tagOf(event: ChannelMessage['event'], severity: ChannelMessage['severity']): string {
  if (event === 'alert.opened') return severity === 'critical' ? 'rotating_light' : 'warning'
  return event === 'deployment.failed' ? 'x' : 'white_check_mark'
}

/** Every sign that has a meaning in Discord's Markdown; the colon keeps addresses from becoming links. */
const withoutMarkdown = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<:@-]/g, '\\$&')

/** Telegram makes a mention of @name and a command of /name; an invisible character in between prevents it. */
const withoutMentions = (text: string): string => text.replaceAll(/[@/](?=\w)/g, '$&\u200b')

/** A header holds ASCII on one line; other text is written as RFC 2047 says, which ntfy reads. */
function headerText(text: string): string {
  const line = plainText(text)
  return /^[\x20-\x7e]*$/.test(line) ? line : `=?UTF-8?B?${Buffer.from(line).toString('base64')}?=`
}
