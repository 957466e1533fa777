// Rows of check_requests: what people asked for at GitHub with the buttons of a check run. A row goes when it is carried out or refused.
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { CheckAction } from '../../domain/repository/check-run.ts'
import { type BusyOwners, isFree } from '../busy-owners.ts'
import type { Change } from '../change.ts'
import { type Leased, OF_PROJECT, takeDueRow } from '../queue.ts'
import type { Tables } from '../tables/tables.ts'

export type CheckRequest = {
  readonly projectId: number
  readonly environmentId: number
  readonly sha: string
  readonly action: CheckAction
  /** The account at GitHub. */
  readonly sender: string
  /** The row of the delivery that it came with. */
  readonly deliveryId: number | null
}

export type LeasedCheckRequest = CheckRequest & Leased & { readonly organizationId: number }

export async function insertCheckRequest(tx: Change, request: CheckRequest & { readonly at: number }): Promise<void> {
  const { projectId, environmentId, sha, action, sender, deliveryId, at } = request
  await tx
    .insertInto('check_requests')
    .values({
      project_id: projectId,
      environment_id: environmentId,
      commit_sha: sha,
      action,
      sender,
      delivery_id: deliveryId,
      created_at: at,
    })
    .execute()
  tx.notify({ about: 'queue' })
}

export async function takeCheckRequest(
  db: Kysely<Tables>,
  leaseMs: number,
  busy: BusyOwners,
): Promise<LeasedCheckRequest | undefined> {
  const row = await takeDueRow(db, 'check_requests', {
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
      environmentId: row.environment_id,
      sha: row.commit_sha,
      action: row.action,
      sender: row.sender,
      deliveryId: row.delivery_id,
    }
  )
}
