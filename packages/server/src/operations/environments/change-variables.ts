// Sets and unsets custom variables of an environment: all of them or none.
import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import { EnvironmentProtected, EnvironmentRemoving, PreconditionFailed } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import type { VariableChanges } from '../../domain/variables.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironment, lockEnvironment, updateVariablesVersion } from '../../store/environments/environments.ts'
import { orNotFound } from '../or-not-found.ts'
import { type WrittenVariables, writeVariables } from './write-variables.ts'

/** `expectedVersions`: the change is for one of these only. */
export type ConditionalChanges = VariableChanges & { readonly expectedVersions: readonly number[] | undefined }

type ChangedVariables = WrittenVariables & { readonly environment: Environment }

export async function changeVariables(
  ctx: Context,
  actor: Actor,
  id: number,
  changes: ConditionalChanges,
): Promise<ChangedVariables> {
  return ctx.change(actor, async (tx) => {
    await findChangeable(tx, actor, id)
    await lockEnvironment(tx, id)
    // Checked again: the previous holder of the lock may have protected, removed or changed the environment.
    const environment = await findChangeable(tx, actor, id)
    if (changes.expectedVersions?.includes(environment.variablesVersion) === false) throw PreconditionFailed()
    const written = await writeVariables(ctx, tx, actor, {
      ...changes,
      owner: { kind: 'environment', id },
      recipe: environment.effectiveRecipe,
    })
    if (written.changedKeys.length > 0) await note(ctx, tx, { environment, fields: written.changedKeys })
    return { ...written, environment: orNotFound(await findEnvironment(tx, actor, id), 'environment') }
  })
}

async function findChangeable(tx: Change, actor: Actor, id: number): Promise<Environment> {
  const environment = orNotFound(await findEnvironment(tx, actor, id), 'environment')
  demand(actor, 'deploy', environment.organizationId)
  if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
  if (isBeingRemoved(environment.tasks)) throw EnvironmentRemoving()
  return environment
}

type VariableChange = { readonly environment: Environment; readonly fields: readonly string[] }

async function note(ctx: Context, tx: Change, { environment, fields }: VariableChange): Promise<void> {
  const { id, name, organizationId } = environment
  await updateVariablesVersion(tx, id, ctx.clock())
  await tx.audit({
    organizationId,
    action: 'variables.changed',
    target: { kind: 'environment', id, name },
    fields,
  })
}
