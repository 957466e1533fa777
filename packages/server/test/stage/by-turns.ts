// For questions whose answer the database does not decide: each is asked on one of the databases, by turns.
import { databases, type TestDatabaseSource } from '../databases.ts'

/** The share of this database. Another `from` gives the other items to it, so that of many lists each database meets all items. */
export function byTurns<Item>(source: TestDatabaseSource, items: readonly Item[], from: number): Item[] {
  const turn = databases.indexOf(source) + from
  return items.filter((_, place) => (place + turn) % databases.length === 0)
}
