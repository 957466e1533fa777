// The one door for changes: everything in one transaction, the audit log and the journal with it, and the news after the commit.
import type { Kysely } from 'kysely'
import { gatherNews, isNoted } from '../domain/news.ts'
import type { ChangedBy } from '../domain/people/actor.ts'
import { insertAuditEvent } from '../store/audit-events.ts'
import type { Change, DescribeHappening } from '../store/change.ts'
import { insertJournal } from '../store/journal.ts'
import { repeatableTransaction } from '../store/repeatable-transaction.ts'
import type { Tables } from '../store/tables/tables.ts'
import type { Bus } from './bus.ts'

/** `isRepeatable`: whoever makes the change makes it again where a power cut takes it back. It is one statement on PostgreSQL. */
type DoorOptions = { readonly isRepeatable?: boolean }

/** What `work` throws takes all of it back, and nothing is told. */
export type Door = <Result>(
  by: ChangedBy,
  work: (tx: Change) => Promise<Result>,
  options?: DoorOptions,
) => Promise<Result>

type Parts = {
  readonly db: Kysely<Tables>
  readonly bus: Bus
  readonly clock: () => number
  readonly describeHappening: DescribeHappening
}

export function createDoor({ db, bus, clock, describeHappening }: Parts): Door {
  return async (by, work, { isRepeatable = false } = {}) => {
    const news = gatherNews()
    const opened = isRepeatable ? repeatableTransaction(db) : db.transaction()
    const result = await opened.execute(async (transaction) => {
      const tx: Change = Object.assign(transaction, {
        tell: news.add,
        audit: (entry, { userId, name, origin } = by) =>
          insertAuditEvent(transaction, { ...entry, actor: { userId, name }, origin, at: clock() }),
        describeHappening: (happening) => describeHappening(transaction, happening),
      } satisfies Pick<Change, 'tell' | 'audit' | 'describeHappening'>)
      const done = await work(tx)
      await insertJournal(transaction, news.all().filter(isNoted), clock())
      return done
    })
    bus.announce(news.all())
    return result
  }
}
