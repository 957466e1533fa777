// Changes an environment, as far as its protection, its owner and its active task allow.
import type { EnvironmentChanges } from '@shipway/api/environments'
import { ISOLATED_RECIPE } from '@shipway/api/values/recipe-facts'
import { reservedFor } from '@shipway/api/values/variable'
import type { Updateable } from 'kysely'
import type { Context } from '../../context.ts'
import { activeTaskOf, isBeingRemoved, keptByProtection } from '../../domain/environment.ts'
import {
  DeploymentInProgress,
  EnvironmentProtected,
  EnvironmentRemoving,
  InvalidField,
  ProjectDeleting,
  ProtectedFields,
} from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import { TASK_KINDS } from '../../domain/tasks/task.ts'
import type { Change } from '../../store/change.ts'
import { violatedUnique } from '../../store/database.ts'
import { updateDomain } from '../../store/environments/domains.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironment, updateEnvironment as updateRow } from '../../store/environments/environments.ts'
import { listVariables } from '../../store/environments/variables.ts'
import { findProject } from '../../store/projects/projects.ts'
import { insertOutboxPullRequest } from '../../store/repository-events/outbox.ts'
import { applySchedules } from '../../store/schedules/apply-schedules.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { dropQueuedTask } from '../../store/tasks/task-states.ts'
import { findActiveTask } from '../../store/tasks/tasks.ts'
import { orNotFound } from '../or-not-found.ts'
import { refuseRecipe } from '../projects/refuse-recipe.ts'
import { chooseServer, refuseDomain, takenError } from './choose-server-and-domain.ts'
import { sealEnvironmentAuth } from './create-environment.ts'
import { changedLimits, limitColumns, wouldChange } from './environment-limits.ts'
import { findEnvironmentForUpdate } from './find-environment-for-update.ts'
import { transferEnvironment } from './transfer-environment.ts'

type Update = { readonly id: number; readonly changes: EnvironmentChanges }

/** Edges depend on these. */
const AT_THE_EDGE: readonly UpdatedField[] = ['domain', 'basic_auth', 'server_id']

export async function updateEnvironment(ctx: Context, actor: Actor, { id, changes }: Update): Promise<Environment> {
  try {
    return await ctx.change(actor, async (tx) => {
      const before = await findEnvironmentForUpdate(tx, actor, { id, withMembers: changes.owner_id !== undefined })
      const altered = alteredFields(before, changes)
      refuse(actor, before, { changes, altered })
      await write(ctx, tx, actor, { before, changes, altered })
      const { owner_id: ownerId } = changes
      if (ownerId !== undefined) await transferEnvironment(ctx, tx, actor, { environment: before, ownerId })
      const environment = orNotFound(await findEnvironment(tx, actor, id), 'environment')
      if (environment.effectiveRecipe !== before.effectiveRecipe) await refuseReservedKeys(tx, environment)
      return environment
    })
  } catch (error) {
    throw takenError(violatedUnique(error)) ?? error
  }
}

/** A key that the other recipe allowed may be dangerous in this one's shell. */
async function refuseReservedKeys(tx: Change, { id, effectiveRecipe }: Environment): Promise<void> {
  const keys = (await listVariables(tx, { kind: 'environment', id }))
    .map(({ key }) => key)
    .filter((key) => reservedFor(key, effectiveRecipe))
  if (keys.length === 0) return
  const detail = `Unset these variables first, which the ${effectiveRecipe} recipe cannot take: ${keys.join(', ')}`
  throw InvalidField('/recipe', 'reserved_key', detail)
}

type UpdatedField = Exclude<keyof EnvironmentChanges, 'owner_id'>

/** An unchanged value is no change. Passwords are never compared, so they always count as changed. */
function alteredFields(before: Environment, changes: EnvironmentChanges): readonly UpdatedField[] {
  const present: Readonly<Record<Exclude<UpdatedField, 'limits'>, unknown>> = {
    title: before.title,
    branch: before.branch,
    server_id: before.server.id,
    recipe: before.recipe,
    domain: before.domain,
    auto_deploy: before.autoDeploy,
    protected: before.isProtected,
    sticky: before.isSticky,
    schedules: before.schedules,
    basic_auth: before.basicAuth?.isInherited === false ? before.basicAuth : null,
  }
  const fields = Object.keys(present) as (keyof typeof present)[]
  const altered = fields.filter((field) => changes[field] !== undefined && changes[field] !== present[field])
  const hasLimits = changes.limits !== undefined && wouldChange(before.limits, changes.limits)
  return hasLimits ? [...altered, 'limits'] : altered
}

type Request = { readonly changes: EnvironmentChanges; readonly altered: readonly UpdatedField[] }

function refuse(actor: Actor, before: Environment, { changes, altered }: Request): void {
  demand(actor, 'deploy', before.organizationId)
  if (changes.owner_id !== undefined) demand(actor, 'own_organization', before.organizationId)
  if (changes.limits !== undefined) demand(actor, 'administer', before.organizationId)
  const isTransferAlone = Object.entries(changes).every(([name, value]) => name === 'owner_id' || value === undefined)
  const isTransfer = isTransferAlone && changes.owner_id !== undefined
  if (!isTransfer && !mayChangeProtected(actor, before)) throw EnvironmentProtected()
  if (isBeingRemoved(before.tasks)) throw EnvironmentRemoving()
  if (before.isProjectDeleting) throw ProjectDeleting()
  if (before.isFork && changes.recipe !== undefined && changes.recipe !== ISOLATED_RECIPE)
    throw InvalidField('/recipe', 'not_for_forks', FORK_RECIPE)
  const fixed = before.upload ? altered.filter((field) => FIXED_BY_UPLOAD.includes(field)) : []
  if (fixed[0]) throw InvalidField(`/${fixed[0]}`, 'upload', UPLOAD_FIELDS)
  const kept = before.isProtected ? keptByProtection(before, changes) : []
  if (kept.length > 0) throw ProtectedFields(kept)
  const active = activeTaskOf(before.tasks)
  const isUnderneath = altered.some((field) => field === 'server_id' || field === 'domain' || field === 'recipe')
  if (active && isUnderneath) throw DeploymentInProgress(active)
}

const FIXED_BY_UPLOAD: readonly UpdatedField[] = ['branch', 'recipe', 'auto_deploy', 'protected', 'sticky']
const UPLOAD_FIELDS =
  'An environment of shipway up deploys uploads with the docker recipe and expires, so its branch, recipe, automatic deployment, ' +
  'protection and place in the list stay as they are. Make another environment for this'

const FORK_RECIPE = "What a stranger's pull request holds is deployed with the docker recipe alone"

async function write(
  ctx: Context,
  tx: Change,
  actor: Actor,
  { before, changes, altered }: Request & { readonly before: Environment },
): Promise<void> {
  if (altered.length === 0) return
  const project = orNotFound(await findProject(tx, actor, before.projectId), 'project')
  if (altered.includes('recipe')) refuseRecipe(actor, project, changes.recipe ?? null)
  if (altered.includes('server_id')) chooseServer(project, changes.server_id)
  if (changes.domain !== undefined && altered.includes('domain')) {
    refuseDomain(ctx, project, { environment: before, domain: changes.domain })
    await updateDomain(tx, { environmentId: before.id, domain: changes.domain })
  }
  await updateRow(tx, before.id, { ...columnsOf(ctx, before, changes), updated_at: ctx.clock() })
  if (altered.includes('schedules')) await applySchedules(tx, before.id, ctx.clock())
  if (changes.protected === true && altered.includes('protected')) await dropForbidden(ctx, tx, before)
  if (altered.some((field) => AT_THE_EDGE.includes(field))) tx.notify({ about: 'routes' })
  if (before.pullRequest && altered.some((field) => field === 'protected' || field === 'sticky')) {
    // The pull request's comment says whether and when it expires.
    const { number } = before.pullRequest
    await insertOutboxPullRequest(tx, { projectId: before.projectId, number, at: ctx.clock() })
  }
  await tx.audit({
    organizationId: before.organizationId,
    action: 'environment.updated',
    target: { kind: 'environment', id: before.id, name: before.name },
    fields: altered,
  })
}

function columnsOf(ctx: Context, before: Environment, changes: EnvironmentChanges): Updateable<Tables['environments']> {
  const { title, branch, server_id, recipe, basic_auth, limits } = changes
  return {
    ...(title !== undefined && { title }),
    ...(branch !== undefined && { branch }),
    ...(server_id !== undefined && { server_id }),
    ...(recipe !== undefined && { recipe }),
    ...(changes.auto_deploy !== undefined && { auto_deploy: changes.auto_deploy ? 1 : 0 }),
    ...(changes.protected !== undefined && { is_protected: changes.protected ? 1 : 0 }),
    ...(changes.sticky !== undefined && { is_sticky: changes.sticky ? 1 : 0 }),
    ...(changes.schedules !== undefined && { schedules: toFlag(changes.schedules) }),
    ...(basic_auth !== undefined && sealEnvironmentAuth(ctx, before.id, basic_auth)),
    ...(limits !== undefined && limitColumns(changedLimits(before.limits, limits))),
  }
}

const toFlag = (isOn: boolean | null): 0 | 1 | null => (isOn === null ? null : isOn ? 1 : 0)

/** Protection also drops queued tasks that it forbids: automatic deployments, and resets. */
async function dropForbidden(ctx: Context, tx: Change, { id }: Environment): Promise<void> {
  const queued = await findActiveTask(tx, id, 'queued')
  if (!queued) return
  const { isDeployment, isAllowedWhileProtected } = TASK_KINDS[queued.kind]
  const isAutomatic = queued.startedBy === null && isDeployment
  if (!isAutomatic && isAllowedWhileProtected) return
  await dropQueuedTask(tx, queued.id, { reason: 'protected', at: ctx.clock() })
}
