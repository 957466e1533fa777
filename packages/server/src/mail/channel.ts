// A mail to a channel: the same message as others get, with user text defanged.
import { type ChannelMessage, plainText } from '../domain/channels/channel-message.ts'
import { composeMail } from './compose-mail.ts'
import { defang } from './defang.ts'
import type { Mail } from './mailer.ts'

type Written = {
  readonly to: string
  readonly message: ChannelMessage
  readonly link: string
  readonly channel: string
}

export function channelMail({ to, message, link, channel }: Written): Mail {
  return composeMail({
    to,
    subject: message.title,
    parts: [
      { words: defang(plainText(message.text)) },
      { before: 'See:', link },
      { words: `You get this mail through the channel "${defang(channel)}".` },
    ],
  })
}
