// Writes a change of variables, of an environment or of a project: all of them or none.
import type { Recipe } from '@shipway/api/values/recipe'
import type { Context } from '../../context.ts'
import { InvalidFields } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { faultsOf, faultsOfWeight, type VariableChanges, weightOf, weightOfText } from '../../domain/variables.ts'
import { bytesBeforeSealing } from '../../secrets/box.ts'
import { isMaskable } from '../../secrets/secret-encodings.ts'
import type { Change } from '../../store/change.ts'
import {
  deleteVariables,
  insertOrUpdateVariables,
  listSealedLengths,
  updateBuildMarks,
  type VariableOwner,
  variableContext,
} from '../../store/environments/variables.ts'

/** `changedKeys`: empty if nothing changed. `unmaskedKeys`: keys whose new values are too short to mask in output; there is nothing to mask in an empty one. */
export type WrittenVariables = { readonly changedKeys: readonly string[]; readonly unmaskedKeys: readonly string[] }

type OwnerChanges = VariableChanges & { readonly owner: VariableOwner; readonly recipe: Recipe }

/** The caller has locked the row of the owner. */
export async function writeVariables(
  ctx: Context,
  tx: Change,
  actor: Actor,
  changes: OwnerChanges,
): Promise<WrittenVariables> {
  const { owner, set } = changes
  const present = await listSealedLengths(tx, owner)
  refuseFaults(changes, present)
  const unset = present.map(({ key }) => key).filter((key) => changes.unset.includes(key))
  await deleteVariables(tx, owner, unset)
  const variables = [...set].map(([key, value]) => ({
    key,
    valueSealed: ctx.box.seal(value, variableContext(owner, key)),
  }))
  await insertOrUpdateVariables(tx, owner, { variables, at: ctx.clock(), by: actor.userId })
  await updateBuildMarks(tx, owner, changes.build)
  return {
    // Setting a key counts as a change even if the value is the same; otherwise a guess could be verified.
    changedKeys: [...new Set([...set.keys(), ...unset, ...changes.build.keys()])],
    unmaskedKeys: [...set].flatMap(([key, value]) => (value === '' || isMaskable(value) ? [] : [key])),
  }
}

function refuseFaults(changes: OwnerChanges, present: readonly SizedVariable[]): void {
  const kept = present.filter(({ key }) => !changes.set.has(key) && !changes.unset.includes(key))
  const faults = faultsOf(changes, { recipe: changes.recipe, kept: kept.map(({ key }) => key) })
  if (faults.length > 0) throw InvalidFields(faults)
  if (changes.set.size === 0) return
  const added = sum([...changes.set.values()].map(weightOfText))
  const weights = { before: sum(present.map(weightOfSealed)), after: added + sum(kept.map(weightOfSealed)) }
  const tooHeavy = faultsOfWeight(weights)
  if (tooHeavy.length > 0) throw InvalidFields(tooHeavy)
}

type SizedVariable = { readonly key: string; readonly sealedLength: number }

const weightOfSealed = ({ sealedLength }: SizedVariable): number => weightOf(bytesBeforeSealing(sealedLength))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
