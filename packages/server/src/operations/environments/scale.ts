// How many containers the services of an environment have: reads it, and changes it without a deployment.
import type { Scale } from '@shipway/api/swarm'
import { canScale } from '@shipway/api/values/runtime-facts'
import type { Context, ScaleOrder } from '../../context.ts'
import { activeTaskOf, isBeingRemoved } from '../../domain/environment.ts'
import {
  AppError,
  DeploymentInProgress,
  EnvironmentProtected,
  EnvironmentRemoving,
  InvalidFields,
  NotASwarm,
  NothingServes,
  NotScaledYet,
  ProjectDeleting,
  ScaledMeanwhile,
} from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import { TASK_KINDS } from '../../domain/tasks/task.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { findReplicas, updateReplicas } from '../../store/environments/replicas.ts'
import { listServices } from '../../store/environments/services.ts'
import { findServer } from '../../store/servers/servers.ts'
import { orNotFound } from '../or-not-found.ts'
import { findEnvironmentForUpdate } from './find-environment-for-update.ts'

type ScaledServices = Scale['services']

export async function findScale(ctx: Pick<Context, 'db'>, actor: Actor, id: number): Promise<ScaledServices> {
  orNotFound(await findEnvironment(ctx.db, actor, id), 'environment')
  const chosen = await findReplicas(ctx.db, id)
  const names = (await listServices(ctx.db, id)).map(({ name }) => name)
  return [...new Set([...names, ...chosen.keys()])].map((name) => ({ name, replicas: chosen.get(name) ?? null }))
}

type Scaling = { readonly id: number; readonly services: Readonly<Record<string, number | null>> }

/**
 * The server is asked first: what it refuses is not kept for later deployments. Then the numbers are recorded under the lock of the
 * environment, so that a deployment has either read them or refuses the request, and only then does the server get them.
 */
export async function updateScale(ctx: Context, actor: Actor, { id, services }: Scaling): Promise<ScaledServices> {
  const environment = orNotFound(await findEnvironment(ctx.db, actor, id), 'environment')
  refuse(actor, environment)
  const server = orNotFound(await findServer(ctx.db, actor, environment.server.id), 'server')
  if (!canScale[server.runtime]) throw NotASwarm(server.name)
  const { live } = environment.tasks
  if (!live) throw NothingServes()
  const changes = new Map(Object.entries(services))
  refuseUnknown(
    (await findScale(ctx, actor, id)).map(({ name }) => name),
    [...changes.keys()],
  )
  const order = { server, environmentId: id, servingTaskId: live.id }
  const chosen = new Map([...changes].flatMap(([name, count]) => (count === null ? [] : [[name, count] as const])))
  if (chosen.size > 0) await ctx.scaleServices({ ...order, work: 'check', replicas: chosen })
  await ctx.change(actor, async (tx) => {
    const now = await findEnvironmentForUpdate(tx, actor, { id })
    refuse(actor, now)
    // It was moved, deployed or removed while its server was asked.
    if (now.server.id !== server.id || now.tasks.live?.id !== live.id) throw ScaledMeanwhile()
    await updateReplicas(tx, id, changes)
    await tx.audit({
      organizationId: now.organizationId,
      action: 'environment.scaled',
      target: { kind: 'environment', id, name: now.name },
      fields: [...changes].map(([name, count]) => (count === null ? name : `${name}=${count}`)),
    })
  })
  if (chosen.size > 0) await apply(ctx, order, chosen)
  return findScale(ctx, actor, id)
}

/** Again while another request has recorded other numbers: whichever applies last applies what is recorded. */
async function apply(
  ctx: Context,
  order: Omit<ScaleOrder, 'work' | 'replicas'>,
  chosen: ReadonlyMap<string, number>,
): Promise<void> {
  let applied = chosen
  for (;;) {
    try {
      await ctx.scaleServices({ ...order, work: 'apply', replicas: applied })
    } catch (error) {
      throw error instanceof AppError ? NotScaledYet(error) : error
    }
    const recorded = await findReplicas(ctx.db, order.environmentId)
    const next = new Map([...recorded].filter(([name]) => chosen.has(name)))
    if ([...next].every(([name, count]) => applied.get(name) === count)) return
    applied = next
  }
}

function refuse(actor: Actor, environment: Environment): void {
  demand(actor, 'deploy', environment.organizationId)
  if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
  if (isBeingRemoved(environment.tasks)) throw EnvironmentRemoving()
  if (environment.isProjectDeleting) throw ProjectDeleting()
  // It has read the numbers already.
  const active = activeTaskOf(environment.tasks)
  if (active && TASK_KINDS[active.kind].isDeployment) throw DeploymentInProgress(active)
}

function refuseUnknown(known: readonly string[], named: readonly string[]): void {
  const unknown = named.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  throw InvalidFields(
    unknown.map((name) => ({
      pointer: '/services',
      code: 'unknown_service',
      detail: `The environment has no service ${name}. It has: ${known.join(', ')}`,
    })),
  )
}
