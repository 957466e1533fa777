// The inside of `in (…)` for a list of ids.
import { type RawBuilder, sql } from 'kysely'

/**
 * Filled up to a power of two with the last id again, so that lists of every length make few different texts and the
 * statements that were prepared for them are met again. Empty, it is 0, which is no row's id.
 */
export function idList(ids: readonly number[]): RawBuilder<unknown> {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length)))
  const last = ids.at(-1) ?? 0
  return sql.join([...ids, ...Array.from({ length: size - ids.length }, () => last)])
}
