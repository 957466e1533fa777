// A channel as JSON: of its address the host, of its token only that there is one.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Channel } from '../../store/channels/channels.ts'
import { presentTime } from './time.ts'

export function presentChannel(channel: Channel): RouteAnswer<Routes['updateChannel']> {
  const last = channel.lastDelivery
  return {
    id: channel.id,
    organization_id: channel.organizationId,
    type: channel.type,
    name: channel.name,
    host: channel.host,
    recipient: channel.recipient,
    has_token: channel.tokenSealed !== null,
    events: [...channel.events],
    severities: [...channel.severities],
    enabled: channel.isEnabled,
    last_delivery: last && { at: presentTime(last.at), status: last.status, message: last.message },
    created_at: presentTime(channel.createdAt),
    updated_at: presentTime(channel.updatedAt),
  }
}
