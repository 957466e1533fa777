// Grants an environment capabilities beyond the policy for compose files. Only owners of the organization can.
import type { Capability } from '@shipway/rules/compose/policy/capabilities'
import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import { EnvironmentRemoving, InvalidField, ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { Change } from '../../store/change.ts'
import { deleteGrants, type Grant, insertGrants, listGrants } from '../../store/credentials/grants.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironmentForUpdate } from '../environments/find-environment-for-update.ts'

type NewGrants = { readonly id: number; readonly capabilities: readonly Capability[] }

/** What was granted before stays as it was, with who did it and when. */
export async function changeGrants(
  ctx: Context,
  actor: Actor,
  { id, capabilities }: NewGrants,
): Promise<readonly Grant[]> {
  return ctx.change(actor, async (tx) => {
    const environment = await findEnvironmentForUpdate(tx, actor, { id })
    refuse(actor, environment, capabilities)
    const before = (await listGrants(tx, id)).map(({ capability }) => capability)
    const granted = [...new Set(capabilities)].filter((capability) => !before.includes(capability))
    const withdrawn = before.filter((capability) => !capabilities.includes(capability))
    await insertGrants(tx, { environmentId: id, capabilities: granted, by: actor.userId, at: ctx.clock() })
    await deleteGrants(tx, { environmentId: id, capabilities: withdrawn })
    await note(tx, { environment, action: 'environment.granted', fields: granted })
    await note(tx, { environment, action: 'environment.grant_withdrawn', fields: withdrawn })
    return listGrants(tx, id)
  })
}

function refuse(actor: Actor, environment: Environment, capabilities: readonly Capability[]): void {
  demand(actor, 'own_organization', environment.organizationId)
  if (isBeingRemoved(environment.tasks)) throw EnvironmentRemoving()
  if (environment.isProjectDeleting) throw ProjectDeleting()
  if (environment.upload && capabilities.length > 0) {
    const detail = 'This environment deploys what a user uploads: nothing can be granted to it'
    throw InvalidField('/capabilities', 'upload', detail)
  }
  if (environment.isFork && capabilities.length > 0) {
    const detail = 'The commits of this environment come from a fork: nothing can be granted to it'
    throw InvalidField('/capabilities', 'fork', detail)
  }
}

type GrantChange = {
  readonly environment: Environment
  readonly action: string
  readonly fields: readonly Capability[]
}

async function note(tx: Change, { environment, action, fields }: GrantChange): Promise<void> {
  if (fields.length === 0) return
  const { id, name, organizationId } = environment
  await tx.audit({ organizationId, action, target: { kind: 'environment', id, name }, fields })
}
