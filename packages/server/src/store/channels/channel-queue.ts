// Rows of channel_deliveries: messages are written in the transaction of the change that they report, and go when they are done.
import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { ChannelMessage } from '../../domain/channels/channel-message.ts'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import { isLeased, type Leased, takeDueRow } from '../queue.ts'
import type { Tables } from '../tables/tables.ts'
import { type Channel, toChannel } from './channels.ts'

/** Limit of messages that wait for one channel: the oldest are dropped. */
const MOST_WAITING = 100

/** For every channel of the organization that wants it; for none, nothing is written. */
export async function insertChannelMessage(tx: Change, organizationId: number, message: ChannelMessage): Promise<void> {
  for (const id of await listListening(tx, organizationId, message)) {
    await tx
      .insertInto('channel_deliveries')
      .values({
        channel_id: id,
        key: `msg_${randomUUID().replaceAll('-', '')}`,
        message: JSON.stringify(message),
        created_at: message.at,
      })
      .execute()
    await sql`
      delete from channel_deliveries where channel_id = ${id} and id <= (
        select id from channel_deliveries where channel_id = ${id} order by id desc limit 1 offset ${sql.lit(MOST_WAITING)})`.execute(
      tx,
    )
    tx.notify({ about: 'queue' })
  }
}

/** Events and severities are JSON lists of names, and no name contains another. */
async function listListening(
  tx: Change,
  organizationId: number,
  { event, severity }: Pick<ChannelMessage, 'event' | 'severity'>,
): Promise<readonly number[]> {
  const rows = await tx
    .selectFrom('channels')
    .where('organization_id', '=', organizationId)
    .where('is_enabled', '=', 1)
    .where('events', 'like', `%"${event}"%`)
    .$if(severity !== null, (query) => query.where('severities', 'like', `%"${severity}"%`))
    .orderBy('id')
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a channel of the project's organization wants an event. */
export async function findListeningOrganization(
  tx: Change,
  environmentId: number,
  event: ChannelMessage['event'],
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select p.organization_id as id from environments e join projects p on p.id = e.project_id
    where e.id = ${environmentId} and exists (
      select 1 from channels c where c.organization_id = p.organization_id and c.is_enabled = 1
        and c.events like ${`%"${event}"%`})`.execute(tx)
  return rows[0]?.id
}

export type TakenMessage = Leased & {
  readonly key: string
  readonly message: ChannelMessage
  readonly channel: Channel
}

type DeliveryLimits = {
  readonly leaseMs: number
  readonly busyReceivers: readonly number[]
  readonly busyOrganizations: readonly number[]
}

export async function takeChannelMessage(
  db: Kysely<Tables>,
  { leaseMs, busyReceivers, busyOrganizations }: DeliveryLimits,
): Promise<TakenMessage | undefined> {
  const row = await takeDueRow(db, 'channel_deliveries', {
    leaseMs,
    join: sql`join channels c on c.id = q.channel_id`,
    where: sql`c.is_enabled = 1 and c.id not in (${idList(busyReceivers)})
      and c.organization_id not in (${idList(busyOrganizations)})`,
  })
  const channel =
    row && (await db.selectFrom('channels').where('id', '=', row.channel_id).selectAll().executeTakeFirst())
  return (
    channel && {
      id: row.id,
      attempts: row.attempts,
      leasedUntil: row.leasedUntil,
      key: row.key,
      message: ChannelMessage.parse(JSON.parse(row.message)),
      channel: toChannel(channel),
    }
  )
}

/** The message was not sent: it is due at once, and this counts as no attempt. */
export async function releaseChannelMessage(db: Kysely<Tables>, taken: Leased): Promise<void> {
  await sql`
    update channel_deliveries set next_at = 0, attempts = attempts - 1
    where ${isLeased('channel_deliveries', taken)}`.execute(db)
}

/** What waits for a channel that is turned off. */
export async function deleteWaitingMessages(tx: Change, channelId: number): Promise<void> {
  await tx.deleteFrom('channel_deliveries').where('channel_id', '=', channelId).execute()
}
