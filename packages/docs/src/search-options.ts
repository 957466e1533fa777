// How sections are found: the same options when the index is made and when it is searched.
import type { Options } from 'minisearch'

export type Entry = {
  readonly id: number
  readonly address: string
  readonly page: string
  readonly heading: string
  readonly text: string
}

export const SEARCH: Options<Entry> = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['address', 'page', 'heading'],
  searchOptions: {
    boost: { heading: 3, page: 2 },
    boostDocument: (_id, _term, stored) => (RECORDS.includes(String(stored?.page)) ? 0.3 : 1),
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
  },
}

/** They mention everything, and answer no question of a user. */
const RECORDS = ['Changes', 'What we measured', 'Contributing']
