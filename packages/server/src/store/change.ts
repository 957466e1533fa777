/**
 * A change of records under way: a transaction that remembers what there is to tell. Only the door makes one (`progress/change-records.ts`).
 * Whatever writes something that a page shows takes this and no bare connection, and says itself what it has changed: nothing can be
 * written past the door, and nothing be written without being told.
 */
import type { Kysely, Transaction } from 'kysely'
import type { ChangeEvent } from '../domain/change-event.ts'
import type { WebhookEvent } from '../domain/hooks/webhook-event.ts'
import type { ChangedBy } from '../domain/people/actor.ts'
import type { AuditEntry } from './audit-events.ts'
import type { Tables } from './tables/tables.ts'

export type Change = Transaction<Tables> & {
  /** Told when all of it is committed, and then once. */
  readonly notify: (event: ChangeEvent) => void
  /** Goes with the change, so that neither is there without the other. By whoever the change is made for, unless it says by whom. */
  readonly audit: (
    entry: Pick<AuditEntry, 'organizationId' | 'action' | 'target' | 'fields'>,
    by?: ChangedBy,
  ) => Promise<void>
  /** The text that receivers of webhooks get, by the records as they stand within the change. */
  readonly describeWebhookEvent: (event: WebhookEvent) => Promise<string>
}

/** What receivers of webhooks are told, in the shapes of the API. Handed in by whoever knows those. */
export type DescribeWebhookEvent = (db: Kysely<Tables>, event: WebhookEvent) => Promise<string>
