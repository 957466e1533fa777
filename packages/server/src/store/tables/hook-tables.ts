// The tables of outbound webhooks as Kysely sees them.
import type { HookDelivery } from '@shipway/api/hooks'
import type { Generated } from 'kysely'

export interface HookTables {
  hooks: HooksTable
  hook_messages: HookMessagesTable
  hook_deliveries: HookDeliveriesTable
}

interface HooksTable {
  id: Generated<number>
  project_id: number
  url: string
  events: string
  seal_id: string
  secret_sealed: string
  earlier_secret_sealed: string | null
  earlier_until: number | null
  is_enabled: Generated<0 | 1>
  disabled_reason: 'failing' | 'gone' | null
  failing_since: number | null
  created_at: number
  updated_at: number
}

interface HookMessagesTable {
  id: Generated<number>
  project_id: number
  message_id: string
  event: HookDelivery['event']
  body: string
  created_at: number
}

interface HookDeliveriesTable {
  id: Generated<number>
  hook_id: number
  message_id: number
  status: Generated<'pending' | 'succeeded' | 'failed'>
  attempts: Generated<number>
  next_at: Generated<number>
  held_until: Generated<number>
  attempted_at: number | null
  duration_ms: number | null
  response_status: number | null
  response_text: string | null
  error: string | null
  created_at: number
}
