/**
 * Seals everything again with the current master key, in batches. Resumable: killed in the middle, the next start goes on
 * with the rest, since each value names the key that sealed it. The canary comes last, so that a platform with only the new key
 * does not start before everything opens with it.
 */
import type { Context } from '../../context.ts'
import { type Box, CannotOpen } from '../../secrets/box.ts'
import { sealCanary } from '../../secrets/verify-master-key.ts'
import { listSealedWithOther, SEALED_COLUMNS, type SealedValue, updateSealed } from '../../store/sealed-columns.ts'
import { updateSetting } from '../../store/settings.ts'

/** `unreadable`: values that none of the given keys opens. They stay as they are. */
export type Rotation = { readonly sealedAgain: number; readonly unreadable: readonly string[] }

const BATCH = 200

export async function rotateMasterKey({ db, box }: Pick<Context, 'db' | 'box'>): Promise<Rotation> {
  let sealedAgain = 0
  const unreadable: string[] = []
  for (const column of SEALED_COLUMNS) {
    let after: SealedValue['row'] | undefined
    for (;;) {
      const values = await listSealedWithOther(db, column, { keyId: box.keyId, after, most: BATCH })
      const again = values.map((value) => ({ value, by: seal(box, value) }))
      await updateSealed(db, again)
      sealedAgain += again.filter(({ by }) => by !== undefined).length
      unreadable.push(...again.flatMap(({ value, by }) => (by === undefined ? [nameOf(value)] : [])))
      after = values.at(-1)?.row
      if (values.length < BATCH) break
    }
  }
  await updateSetting(db, 'canary', sealCanary(box))
  return { sealedAgain, unreadable }
}

function seal(box: Box, { sealed, place }: SealedValue): string | undefined {
  try {
    return box.seal(box.open(sealed, place), place)
  } catch (error) {
    if (error instanceof CannotOpen) return undefined
    throw error
  }
}

const nameOf = ({ place }: SealedValue): string => `${place.table}.${place.column} of ${place.row}`
