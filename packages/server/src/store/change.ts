/**
 * A change of records: a transaction that collects change events. Only `progress/change-records.ts` makes one.
 * Every write of something that a page shows takes this instead of a bare connection, and notifies of it: nothing can be
 * changed without an event.
 */
import type { Kysely, Transaction } from 'kysely'
import type { ChangeEvent } from '../domain/change-event.ts'
import type { WebhookEvent } from '../domain/hooks/webhook-event.ts'
import type { ChangedBy } from '../domain/people/actor.ts'
import type { AuditEntry } from './audit-events.ts'
import type { Tables } from './tables/tables.ts'

export type Change = Transaction<Tables> & {
  /** Announced once, after the commit. */
  readonly notify: (event: ChangeEvent) => void
  /** Written in the same transaction. By the author of the change, unless `by` names another. */
  readonly audit: (
    entry: Pick<AuditEntry, 'organizationId' | 'action' | 'target' | 'fields'>,
    by?: ChangedBy,
  ) => Promise<void>
  /** The body of a webhook message, from the records as the transaction sees them. */
  readonly describeWebhookEvent: (event: WebhookEvent) => Promise<string>
}

/** Makes the body of a webhook message, in the shapes of the API. Injected by `main.ts`, since the store does not know those. */
export type DescribeWebhookEvent = (db: Kysely<Tables>, event: WebhookEvent) => Promise<string>
