// The mark of statements that write nothing but output. It comes many times a second, and no answer that is kept holds any of it: for
// the version of the records, such a statement changes nothing.
import { sql } from 'kysely'

const WORDS = '/* output only */'

export const outputOnly = sql.raw(WORDS)

export const isOutputOnly = (text: string): boolean => text.endsWith(WORDS)
