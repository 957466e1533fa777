// Rows of channels, visible only through the caller's organizations. Sealed values stay in the row.
import { type Channel as ApiChannel, ChannelEvent, type ChannelType } from '@shipway/api/channels'
import { AlertSeverity } from '@shipway/api/oversight/alerts'
import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import { organizationsOf, type Viewer } from '../../domain/people/actor.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type Channel = {
  readonly id: number
  readonly organizationId: number
  readonly type: ChannelType
  readonly name: string
  readonly host: string | null
  readonly recipient: string | null
  /** Secrets are sealed to it. */
  readonly sealId: string
  readonly urlSealed: string | null
  readonly tokenSealed: string | null
  readonly secretSealed: string | null
  readonly events: readonly ChannelEvent[]
  readonly severities: readonly AlertSeverity[]
  readonly isEnabled: boolean
  readonly lastDelivery: LastDelivery | null
  readonly createdAt: number
  readonly updatedAt: number
}

export type LastDelivery = {
  readonly at: number
  readonly status: NonNullable<ApiChannel['last_delivery']>['status']
  readonly message: string
}

export async function findChannel(db: Kysely<Tables>, actor: Viewer, id: number): Promise<Channel | undefined> {
  const row = await db
    .selectFrom('channels')
    .where('id', '=', id)
    .where('organization_id', 'in', organizationsOf(actor))
    .selectAll()
    .executeTakeFirst()
  return row && toChannel(row)
}

/** The caller has found the organization. */
export async function listChannels(db: Kysely<Tables>, organizationId: number): Promise<readonly Channel[]> {
  const rows = await db
    .selectFrom('channels')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .selectAll()
    .execute()
  return rows.map(toChannel)
}

export async function insertChannel(tx: Change, values: Insertable<Tables['channels']>): Promise<number> {
  const { id } = await tx.insertInto('channels').values(values).returning('id').executeTakeFirstOrThrow()
  tx.notify({ about: 'organization', id: values.organization_id, how: 'updated' })
  return id
}

type ChannelRow = Pick<Channel, 'id' | 'organizationId'>

export async function updateChannel(
  tx: Change,
  { id, organizationId }: ChannelRow,
  values: Updateable<Tables['channels']>,
): Promise<void> {
  await tx.updateTable('channels').set(values).where('id', '=', id).execute()
  tx.notify({ about: 'organization', id: organizationId, how: 'updated' })
}

/** What waits to be sent goes with it. */
export async function deleteChannel(tx: Change, { id, organizationId }: ChannelRow): Promise<void> {
  await tx.deleteFrom('channels').where('id', '=', id).execute()
  tx.notify({ about: 'organization', id: organizationId, how: 'updated' })
}

export function toChannel(row: Selectable<Tables['channels']>): Channel {
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type,
    name: row.name,
    host: row.host,
    recipient: row.recipient,
    sealId: row.seal_id,
    urlSealed: row.url_sealed,
    tokenSealed: row.token_sealed,
    secretSealed: row.secret_sealed,
    events: ChannelEvent.array().parse(JSON.parse(row.events)),
    severities: AlertSeverity.array().parse(JSON.parse(row.severities)),
    isEnabled: row.is_enabled === 1,
    lastDelivery:
      row.last_at === null || row.last_status === null
        ? null
        : { at: row.last_at, status: row.last_status, message: row.last_message ?? '' },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
