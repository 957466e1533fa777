// The tables of channels as Kysely sees them.
import type { Channel, ChannelType } from '@shipway/api/channels'
import type { Generated } from 'kysely'

export interface ChannelTables {
  channels: ChannelsTable
  channel_deliveries: ChannelDeliveriesTable
}

interface ChannelsTable {
  id: Generated<number>
  organization_id: number
  type: ChannelType
  name: string
  host: string | null
  recipient: string | null
  seal_id: string
  url_sealed: string | null
  token_sealed: string | null
  secret_sealed: string | null
  events: string
  severities: string
  is_enabled: Generated<0 | 1>
  last_at: number | null
  last_status: NonNullable<Channel['last_delivery']>['status'] | null
  last_message: string | null
  created_at: number
  updated_at: number
}

interface ChannelDeliveriesTable {
  id: Generated<number>
  channel_id: number
  key: string
  message: string
  attempts: Generated<number>
  next_at: Generated<number>
  last_error: string | null
  created_at: number
}
