// Opens every sealed value once, to check that the master key fits all of them.
import type { Kysely } from 'kysely'
import { type Box, CannotOpen } from '../secrets/box.ts'
import { listSealedWithOther, SEALED_COLUMNS, type SealedValue } from '../store/sealed-columns.ts'
import type { Tables } from '../store/tables/tables.ts'

/** `unreadable`: where the values stand that do not open. */
export type SealedCheck = { readonly opened: number; readonly unreadable: readonly string[] }

const BATCH = 200
/** No key has this id, so the query for values of other keys lists all. */
const NO_KEY = '-'

export async function checkSealedValues(db: Kysely<Tables>, box: Box): Promise<SealedCheck> {
  let opened = 0
  const unreadable: string[] = []
  for (const column of SEALED_COLUMNS) {
    let after: SealedValue['row'] | undefined
    for (;;) {
      const values = await listSealedWithOther(db, column, { keyId: NO_KEY, after, most: BATCH })
      for (const { sealed, place } of values) {
        if (doesOpen(box, sealed, place)) opened++
        else unreadable.push(`${place.table}.${place.column} of ${place.row}`)
      }
      after = values.at(-1)?.row
      if (values.length < BATCH) break
    }
  }
  return { opened, unreadable }
}

function doesOpen(box: Box, sealed: string, place: SealedValue['place']): boolean {
  try {
    box.open(sealed, place)
    return true
  } catch (error) {
    if (error instanceof CannotOpen) return false
    throw error
  }
}
