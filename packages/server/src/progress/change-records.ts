// The one way to change records: a transaction with its audit events and journal entries, then its change events after the commit.
import type { Kysely } from 'kysely'
import { collectEvents, isJournaled } from '../domain/change-event.ts'
import type { ChangedBy } from '../domain/people/actor.ts'
import { insertAuditEvent } from '../store/audit-events.ts'
import type { Change, DescribeWebhookEvent } from '../store/change.ts'
import { insertJournal } from '../store/journal.ts'
import { repeatableTransaction } from '../store/repeatable-transaction.ts'
import type { Tables } from '../store/tables/tables.ts'
import type { Bus } from './bus.ts'

/** `isRepeatable`: the caller repeats the change if a power cut undoes it. It must be one statement on PostgreSQL. */
type ChangeOptions = { readonly isRepeatable?: boolean }

/** If `work` throws, everything is rolled back and nothing announced. */
export type ChangeRecords = <Result>(
  by: ChangedBy,
  work: (tx: Change) => Promise<Result>,
  options?: ChangeOptions,
) => Promise<Result>

type ChangeDependencies = {
  readonly db: Kysely<Tables>
  readonly bus: Bus
  readonly clock: () => number
  readonly describeWebhookEvent: DescribeWebhookEvent
}

export function createChangeRecords({ db, bus, clock, describeWebhookEvent }: ChangeDependencies): ChangeRecords {
  return async (by, work, { isRepeatable = false } = {}) => {
    const event = collectEvents()
    const opened = isRepeatable ? repeatableTransaction(db) : db.transaction()
    const result = await opened.execute(async (transaction) => {
      const tx: Change = Object.assign(transaction, {
        notify: event.add,
        audit: (entry, { userId, name, origin } = by) =>
          insertAuditEvent(transaction, { ...entry, actor: { userId, name }, origin, at: clock() }),
        describeWebhookEvent: (event) => describeWebhookEvent(transaction, event),
      } satisfies Pick<Change, 'notify' | 'audit' | 'describeWebhookEvent'>)
      const done = await work(tx)
      await insertJournal(transaction, event.all().filter(isJournaled), clock())
      return done
    })
    bus.announce(event.all())
    return result
  }
}
