// Silences the alerts of an environment for a while, and turns them on again.
import type { Context } from '../../context.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { deleteSilence, findSilence, type Silence, upsertSilence } from '../../store/alerts/silences.ts'
import type { Change } from '../../store/change.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { findEnvironmentForUpdate } from '../environments/find-environment-for-update.ts'
import { orNotFound } from '../or-not-found.ts'

type NewSilence = { readonly environmentId: number; readonly until: number | null }

export async function silenceEnvironment(
  ctx: Context,
  actor: Actor,
  { environmentId, until }: NewSilence,
): Promise<Silence> {
  return ctx.change(actor, async (tx) => {
    const environment = await findOwn(tx, actor, environmentId)
    if (until !== null && until <= ctx.clock())
      throw InvalidField('/until', 'not_in_future', 'Give a time in the future, or null')
    await upsertSilence(tx, { environmentId, until })
    await tx.audit({ ...environment, action: 'environment.silenced' })
    return { until }
  })
}

export async function unsilenceEnvironment(ctx: Context, actor: Actor, environmentId: number): Promise<void> {
  await ctx.change(actor, async (tx) => {
    const environment = await findOwn(tx, actor, environmentId)
    if (await deleteSilence(tx, environmentId)) await tx.audit({ ...environment, action: 'environment.unsilenced' })
  })
}

/** Undefined where its alerts are on. */
export async function findEnvironmentSilence(
  ctx: Context,
  actor: Actor,
  environmentId: number,
): Promise<Silence | undefined> {
  orNotFound(await findEnvironment(ctx.db, actor, environmentId), 'environment')
  return findSilence(ctx.db, environmentId, ctx.clock())
}

async function findOwn(tx: Change, actor: Actor, environmentId: number) {
  const environment = await findEnvironmentForUpdate(tx, actor, { id: environmentId })
  demand(actor, 'deploy', environment.organizationId)
  return {
    organizationId: environment.organizationId,
    target: { kind: 'environment', id: environmentId, name: environment.name },
  } as const
}
