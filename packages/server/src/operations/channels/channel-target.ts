// Where a channel leads: the fields that its type takes, checked, and sealed for the row.
import { CHANNEL_FIELDS, type ChannelField, type ChannelType } from '@shipway/api/channels'
import { Email } from '@shipway/api/values/email'
import { receiverHostOf, receiverUrlFault } from '@shipway/api/values/receiver-url'
import type { Context } from '../../context.ts'
import { channelContext } from '../../domain/encryption-context.ts'
import { InvalidField } from '../../domain/errors.ts'

/** Fields that are undefined stay as they are; a token that is null goes. */
export type TargetFields = {
  readonly url?: string | undefined
  readonly token?: string | null | undefined
  readonly recipient?: string | undefined
}

type TargetColumns = {
  readonly host?: string
  readonly url_sealed?: string
  readonly token_sealed?: string | null
  readonly recipient?: string
}

/** `isNew`: required fields must be there. */
export function sealTarget(
  ctx: Context,
  { type, sealId, isNew }: { readonly type: ChannelType; readonly sealId: string; readonly isNew: boolean },
  fields: TargetFields,
): TargetColumns {
  for (const field of ['url', 'token', 'recipient'] as const) refuseField(type, field, fields[field], isNew)
  const { url, token, recipient } = fields
  if (url !== undefined) refuseUrl(ctx, url)
  if (type === 'telegram' && typeof token === 'string' && !/^[0-9]+:[A-Za-z0-9_-]+$/.test(token))
    throw InvalidField('/token', 'invalid_token', 'Give the token that BotFather shows, such as 123456:ABC-DEF')
  return {
    ...(url !== undefined && {
      host: receiverHostOf(url),
      url_sealed: ctx.box.seal(url, channelContext(sealId, 'url_sealed')),
    }),
    ...(token !== undefined && {
      token_sealed: token === null ? null : ctx.box.seal(token, channelContext(sealId, 'token_sealed')),
    }),
    ...(recipient !== undefined && { recipient: readRecipient(type, recipient) }),
  }
}

function refuseField(type: ChannelType, field: ChannelField, value: string | null | undefined, isNew: boolean): void {
  const use = CHANNEL_FIELDS[type][field]
  if (use === undefined && value !== undefined)
    throw InvalidField(`/${field}`, 'not_used', `A channel of the type ${type} has no ${field}`)
  if (use === 'required' && (value === null || (isNew && value === undefined)))
    throw InvalidField(`/${field}`, 'required', `A channel of the type ${type} needs a ${field}`)
}

/** The schema has parsed it; the settings say whether the platform may connect there. */
function refuseUrl({ config }: Context, url: string): void {
  const fault = receiverUrlFault(url, config)
  if (fault) throw InvalidField('/url', fault.code, fault.detail)
}

function readRecipient(type: ChannelType, recipient: string): string {
  if (type === 'mail') {
    const email = Email.safeParse(recipient)
    if (!email.success)
      throw InvalidField('/recipient', 'invalid_email', 'Give one e-mail address such as a@example.com')
    return email.data
  }
  if (!/^(-?[0-9]{1,20}|@[A-Za-z0-9_]{1,100})$/.test(recipient))
    throw InvalidField(
      '/recipient',
      'invalid_recipient',
      'Give the id of a chat such as -100123, or @name of a channel',
    )
  return recipient
}
