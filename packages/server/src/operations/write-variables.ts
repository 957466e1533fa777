// Writes a change of variables, of an environment or of a project: all that is asked, or nothing.
import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import type { Actor } from '../domain/actor.ts'
import { InvalidFields } from '../domain/errors.ts'
import { bytesOf, faultsOf, faultsOfSize, type VariableChanges } from '../domain/variables.ts'
import { CannotOpen } from '../secrets/box.ts'
import { isMaskable } from '../secrets/secret-forms.ts'
import type { Tables } from '../store/tables.ts'
import {
  deleteVariables,
  insertOrUpdateVariables,
  listSealedVariables,
  placeOfVariable,
  type SealedVariable,
  type VariableOwner,
} from '../store/variables.ts'

/** `changedKeys`: none where nothing was to be done. `unmaskedKeys`: of what was set, the values too short to hide in output. */
export type WrittenVariables = { readonly changedKeys: readonly string[]; readonly unmaskedKeys: readonly string[] }

type Change = VariableChanges & { readonly owner: VariableOwner; readonly recipe: 'docker' | 'manual' }

/** The caller holds the owner's row. */
export async function writeVariables(
  ctx: Context,
  db: Kysely<Tables>,
  actor: Actor,
  change: Change,
): Promise<WrittenVariables> {
  const { owner, set } = change
  const present = await listSealedVariables(db, owner)
  refuseFaults(ctx, change, present)
  const unset = present.map(({ key }) => key).filter((key) => change.unset.includes(key))
  await deleteVariables(db, owner, unset)
  const variables = [...set].map(([key, value]) => ({
    key,
    valueSealed: ctx.box.seal(value, placeOfVariable(owner, key)),
  }))
  await insertOrUpdateVariables(db, owner, { variables, at: ctx.clock(), by: actor.userId })
  return {
    // A key that is set counts as changed even when its value is the same: telling would let a guess be checked.
    changedKeys: [...set.keys(), ...unset],
    unmaskedKeys: [...set].flatMap(([key, value]) => (isMaskable(value) ? [] : [key])),
  }
}

function refuseFaults(ctx: Context, change: Change, present: readonly SealedVariable[]): void {
  const kept = present.filter(({ key }) => !change.set.has(key) && !change.unset.includes(key))
  const faults = faultsOf(change, { recipe: change.recipe, keptCount: kept.length })
  if (faults.length > 0) throw InvalidFields(faults)
  if (change.set.size === 0) return
  const added = bytesOf(change.set)
  // A sealed value is longer than the value, so where the sealed ones fit, nothing has to be opened.
  const atMost = added + bytesOf(kept.map(({ key, valueSealed }) => [key, valueSealed]))
  if (faultsOfSize(atMost).length === 0) return
  const exactly = faultsOfSize(added + bytesOf(kept.map((sealed) => [sealed.key, open(ctx, change.owner, sealed)])))
  if (exactly.length > 0) throw InvalidFields(exactly)
}

/** One that does not open counts as nothing: it can only be set again or unset. */
function open(ctx: Context, owner: VariableOwner, { key, valueSealed }: SealedVariable): string {
  try {
    return ctx.box.open(valueSealed, placeOfVariable(owner, key)).reveal()
  } catch (error) {
    if (error instanceof CannotOpen) return ''
    throw error
  }
}
