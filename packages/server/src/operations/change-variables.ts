// Sets and unsets custom variables of an environment: all that is asked, or nothing.
import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import type { Actor } from '../domain/actor.ts'
import { isBeingRemoved } from '../domain/environment.ts'
import { EnvironmentProtected, EnvironmentRemoving, InvalidFields, PreconditionFailed } from '../domain/errors.ts'
import { demand, mayChangeProtected } from '../domain/permissions.ts'
import { bytesOf, faultsOf, faultsOfSize, type VariableChanges } from '../domain/variables.ts'
import type { Environment } from '../store/environment-row.ts'
import { findEnvironment, lockEnvironment, updateEnvironment } from '../store/environments.ts'
import type { Tables } from '../store/tables.ts'
import {
  deleteVariables,
  insertOrUpdateVariables,
  listSealedVariables,
  listVariables,
  placeOfVariable,
  type Variable,
} from '../store/variables.ts'
import { audit } from './audit.ts'
import { required } from './required.ts'

/** `expectedVersions`: the change is for one of these only. */
type Change = VariableChanges & { readonly expectedVersions: readonly number[] | undefined }

type Outcome = { readonly environment: Environment; readonly variables: readonly Variable[] }

export async function changeVariables(ctx: Context, actor: Actor, id: number, change: Change): Promise<Outcome> {
  return ctx.db.transaction().execute(async (db) => {
    await findChangeable(db, actor, id)
    await lockEnvironment(db, id)
    // Asked again: whoever held the lock before may have protected, removed or changed it.
    const environment = await findChangeable(db, actor, id)
    if (change.expectedVersions?.includes(environment.variablesVersion) === false) throw PreconditionFailed()
    const present = await listSealedVariables(db, id)
    refuseFaults(ctx, environment, change, present)
    const unset = present.map(({ key }) => key).filter((key) => change.unset.includes(key))
    // A key that is set counts as changed even when its value is the same: telling would let a guess be checked.
    if (change.set.size > 0 || unset.length > 0) await write(ctx, db, actor, { environment, set: change.set, unset })
    return {
      environment: required(await findEnvironment(db, actor, id), 'environment'),
      variables: await listVariables(db, id),
    }
  })
}

async function findChangeable(db: Kysely<Tables>, actor: Actor, id: number): Promise<Environment> {
  const environment = required(await findEnvironment(db, actor, id), 'environment')
  demand(actor, 'deploy', environment.organizationId)
  if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
  if (isBeingRemoved(environment.tasks)) throw EnvironmentRemoving()
  return environment
}

type Sealed = { readonly key: string; readonly valueSealed: string }

function refuseFaults(
  ctx: Context,
  environment: Environment,
  change: VariableChanges,
  present: readonly Sealed[],
): void {
  const kept = present.filter(({ key }) => !change.set.has(key) && !change.unset.includes(key))
  const faults = faultsOf(change, { recipe: environment.effectiveRecipe, keptCount: kept.length })
  if (faults.length > 0) throw InvalidFields(faults)
  if (change.set.size === 0) return
  const added = bytesOf(change.set)
  // A sealed value is longer than the value, so where the sealed ones fit, nothing has to be opened.
  const atMost = added + bytesOf(kept.map(({ key, valueSealed }) => [key, valueSealed]))
  if (faultsOfSize(atMost).length === 0) return
  const exactly = faultsOfSize(added + bytesOf(kept.map((sealed) => [sealed.key, open(ctx, environment.id, sealed)])))
  if (exactly.length > 0) throw InvalidFields(exactly)
}

function open(ctx: Context, environmentId: number, { key, valueSealed }: Sealed): string {
  return ctx.box.open(valueSealed, placeOfVariable(environmentId, key)).reveal()
}

type Writing = {
  readonly environment: Environment
  readonly set: VariableChanges['set']
  readonly unset: readonly string[]
}

async function write(
  ctx: Context,
  db: Kysely<Tables>,
  actor: Actor,
  { environment, set, unset }: Writing,
): Promise<void> {
  const { id, name, organizationId } = environment
  await deleteVariables(db, id, unset)
  await insertOrUpdateVariables(db, sealedRows(ctx, actor, id, set))
  const version = environment.variablesVersion + 1
  await updateEnvironment(db, id, { variables_version: version, updated_at: ctx.clock() })
  await audit(ctx, db, actor, {
    organizationId,
    action: 'variables.changed',
    target: { kind: 'environment', id, name },
    fields: [...set.keys(), ...unset],
  })
}

function sealedRows(ctx: Context, actor: Actor, environmentId: number, set: VariableChanges['set']) {
  return [...set].map(([key, value]) => ({
    environment_id: environmentId,
    key,
    value_sealed: ctx.box.seal(value, placeOfVariable(environmentId, key)),
    updated_at: ctx.clock(),
    updated_by: actor.userId,
  }))
}
