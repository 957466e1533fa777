// Channels: where an organization gets messages about alerts and finished deployments. Addresses and tokens are write-only.
import { z } from 'zod'
import { AlertSeverity } from './oversight/alerts.ts'
import { IdParams } from './page.ts'
import { route } from './route.ts'
import { Id, Time } from './values/ids.ts'
import { Name } from './values/name.ts'
import { ReceiverUrl } from './values/receiver-url.ts'

export const ChannelType = z.enum(['mail', 'slack', 'discord', 'telegram', 'ntfy', 'webhook'])
export type ChannelType = z.infer<typeof ChannelType>

export const ChannelEvent = z.enum(['alert.opened', 'alert.resolved', 'deployment.succeeded', 'deployment.failed'])
export type ChannelEvent = z.infer<typeof ChannelEvent>

export type ChannelField = 'url' | 'token' | 'recipient'

/** Which fields say where a channel of each type leads. Fields that are not named are refused. */
export const CHANNEL_FIELDS: Readonly<
  Record<ChannelType, Readonly<Partial<Record<ChannelField, 'required' | 'optional'>>>>
> = {
  mail: { recipient: 'required' },
  slack: { url: 'required' },
  discord: { url: 'required' },
  telegram: { token: 'required', recipient: 'required' },
  ntfy: { url: 'required', token: 'optional' },
  webhook: { url: 'required' },
}

const Events = z.array(ChannelEvent).min(1, 'Choose at least one event').max(ChannelEvent.options.length)
const Severities = z.array(AlertSeverity).min(1, 'Choose at least one severity').max(AlertSeverity.options.length)
/** It becomes part of a header or an address. */
const Token = z
  .string()
  .max(500, 'Use at most 500 characters')
  .regex(/^[\x21-\x7e]+$/, 'Give a token without spaces')
const Recipient = z.string().min(1, 'Give a recipient').max(254, 'Use at most 254 characters')

const Delivery = z.object({
  at: Time,
  status: z.enum(['succeeded', 'retrying', 'failed']),
  message: z.string(),
})

export const Channel = z.object({
  id: Id,
  organization_id: Id,
  type: ChannelType,
  name: z.string(),
  host: z.string().nullable().describe('Of the address; the rest of it is never shown'),
  recipient: z.string().nullable(),
  has_token: z.boolean(),
  events: z.array(ChannelEvent),
  severities: z.array(AlertSeverity),
  enabled: z.boolean(),
  last_delivery: Delivery.nullable(),
  created_at: Time,
  updated_at: Time,
})
export type Channel = z.infer<typeof Channel>

export const NewChannel = z.strictObject({
  type: ChannelType,
  name: Name,
  url: ReceiverUrl.optional(),
  token: Token.optional(),
  recipient: Recipient.optional().describe('An e-mail address, or the id of a Telegram chat'),
  events: Events.default(['alert.opened', 'alert.resolved']),
  severities: Severities.default(AlertSeverity.options),
})
export type NewChannel = z.infer<typeof NewChannel>

export const ChannelChanges = z.strictObject({
  name: Name.optional(),
  url: ReceiverUrl.optional(),
  token: Token.nullable().optional(),
  recipient: Recipient.optional(),
  events: Events.optional(),
  severities: Severities.optional(),
  enabled: z.boolean().optional(),
})
export type ChannelChanges = z.infer<typeof ChannelChanges>

export const ChannelTest = z.object({
  succeeded: z.boolean(),
  message: z.string(),
  response_status: z.int().nullable(),
  response_text: z.string().nullable().describe('The beginning of what the receiver answered'),
})
export type ChannelTest = z.infer<typeof ChannelTest>

const administered = { permission: 'administer', scope: 'admin' } as const

export const channelRoutes = {
  listChannels: route({
    method: 'GET',
    path: '/api/organizations/{id}/channels',
    summary: 'Channels of an organization',
    description: 'Each with its last delivery. Addresses and tokens are never shown.',
    ...administered,
    params: IdParams,
    success: 200,
    answer: z.array(Channel),
  }),
  createChannel: route({
    method: 'POST',
    path: '/api/organizations/{id}/channels',
    summary: 'Add a channel',
    description:
      'mail: `recipient`; slack, discord, webhook: `url`; ntfy: `url`, and `token` where it needs one; telegram: `token` of the bot and ' +
      '`recipient`. At most 20. A webhook is signed with `secret`, which is shown this once.',
    ...administered,
    params: IdParams,
    body: NewChannel,
    success: 201,
    answer: Channel.extend({ secret: z.string().nullable() }),
    errors: ['in_use'],
  }),
  updateChannel: route({
    method: 'PATCH',
    path: '/api/channels/{id}',
    summary: 'Change a channel, or turn it off and on',
    description: 'A new `url` needs the token again. What waits for a channel that is turned off is dropped.',
    ...administered,
    params: IdParams,
    body: ChannelChanges,
    success: 200,
    answer: Channel,
  }),
  deleteChannel: route({
    method: 'DELETE',
    path: '/api/channels/{id}',
    summary: 'Delete a channel',
    description: 'What waits to be sent to it is dropped.',
    ...administered,
    params: IdParams,
    success: 204,
  }),
  testChannel: route({
    method: 'POST',
    path: '/api/channels/{id}/test',
    summary: 'Send a test message, once',
    description: 'Answers with what the receiver said, after at most 15 seconds.',
    ...administered,
    params: IdParams,
    success: 200,
    answer: ChannelTest,
  }),
}
