// Rows of comment_requests: commands in comments, while it is not known whether their author may give them. A row goes when it is carried
// out or refused.
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { CommentEvent } from '../../domain/repository/repository-event.ts'
import { type BusyOwners, isFree } from '../busy-owners.ts'
import type { Change } from '../change.ts'
import { isLeased, type Leased, OF_PROJECT, takeDueRow } from '../queue.ts'
import type { Tables } from '../tables/tables.ts'
import { updateOutcome } from './deliveries.ts'

export type CommentRequest = {
  readonly projectId: number
  readonly event: CommentEvent
  /** The row of the delivery that it came with. */
  readonly deliveryId: number | null
}

export type LeasedCommentRequest = CommentRequest & Leased & { readonly organizationId: number }

export async function insertCommentRequest(
  tx: Change,
  { projectId, event, deliveryId, at }: CommentRequest & { readonly at: number },
): Promise<void> {
  await tx
    .insertInto('comment_requests')
    .values({
      project_id: projectId,
      number: event.number,
      command: event.command,
      author: event.author.name,
      author_id: event.author.id,
      delivery_id: deliveryId,
      created_at: at,
    })
    .execute()
  tx.notify({ about: 'queue' })
}

export async function takeCommentRequest(
  db: Kysely<Tables>,
  leaseMs: number,
  busy: BusyOwners,
): Promise<LeasedCommentRequest | undefined> {
  const row = await takeDueRow(db, 'comment_requests', {
    leaseMs,
    join: sql`join projects p on p.id = q.project_id`,
    where: isFree(busy),
    organization: OF_PROJECT,
  })
  return (
    row && {
      id: row.id,
      attempts: row.attempts,
      leasedUntil: row.leasedUntil,
      projectId: row.project_id,
      organizationId: row.organizationId,
      event: {
        kind: 'comment',
        number: row.number,
        command: row.command,
        author: { name: row.author, id: row.author_id },
      },
      deliveryId: row.delivery_id,
    }
  )
}

/** False if another process has it, or a later command has replaced it. */
export async function holdsCommentRequest(tx: Change, request: LeasedCommentRequest): Promise<boolean> {
  const row = tx.selectFrom('comment_requests').where(isLeased('comment_requests', request))
  return (await row.select('id').executeTakeFirst()) !== undefined
}

type Replaced = {
  readonly projectId: number
  /** Of the pull request. */
  readonly number: number
  /** Only those before this row. */
  readonly before: number | undefined
}

/** A later command was carried out: the earlier ones must not follow it. */
export async function deleteEarlierCommentRequests(tx: Change, { projectId, number, before }: Replaced): Promise<void> {
  const deleted = await tx
    .deleteFrom('comment_requests')
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .returning('delivery_id')
    .execute()
  for (const { delivery_id: id } of deleted)
    if (id !== null)
      await updateOutcome(tx, { id, projectId }, { verdict: 'ignored', reason: 'outdated', detail: null })
}
