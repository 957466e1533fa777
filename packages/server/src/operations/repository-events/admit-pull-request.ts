// Creates the environments of waiting pull requests, oldest first, within the limit of the project.
import { ISOLATED_RECIPE } from '@shipway/api/values/recipe-facts'
import type { Context } from '../../context.ts'
import { defaultDomain } from '../../domain/domain-rules.ts'
import { pullRequestName } from '../../domain/environment.ts'
import { type Automatic, PLATFORM } from '../../domain/people/actor.ts'
import type { Change } from '../../store/change.ts'
import { insertDomain } from '../../store/environments/domains.ts'
import {
  findPullRequestEnvironment,
  findSlots,
  insertEnvironment,
  isNameOrDomainTaken,
} from '../../store/environments/environments.ts'
import { insertWebhookEvent } from '../../store/hooks/hook-messages.ts'
import { findProjectAnywhere, lockProject, type Project } from '../../store/projects/projects.ts'
import { findWait } from '../../store/repository-events/check-waits.ts'
import { insertOutboxPullRequest } from '../../store/repository-events/outbox.ts'
import { listWaiting, type PullRequest, updatePullRequest } from '../../store/repository-events/pull-requests.ts'
import { explainWaiting } from '../environments/explain-waiting.ts'
import { queueDeployment } from '../tasks/start-deployment.ts'
import { awaitChecks } from './await-checks.ts'
import { accepted, type EventOutcome } from './outcome.ts'

type Admission = { readonly project: Project; readonly by: Automatic }

/** The caller has locked the project. Adds the pull request to the end of the queue, then admits from its front. */
export async function admitPullRequest(
  ctx: Context,
  tx: Change,
  { project, pullRequest, by }: Admission & { readonly pullRequest: PullRequest },
): Promise<EventOutcome> {
  const { number, isFork, waitingSince } = pullRequest
  const at = ctx.clock()
  if (waitingSince === null) await updatePullRequest(tx, pullRequest, { waiting_since: at, environment_id: null })
  const admitted = await admitWaiting(ctx, tx, { project, by })
  if (admitted.includes(number))
    return accepted(isFork ? 'awaiting_approval' : await findWaitReason(tx, project.id, number))
  if (waitingSince === null) await insertOutboxPullRequest(tx, { projectId: project.id, number, at })
  const explained = await explainWaiting(tx, project.id, [pullRequest])
  return accepted(explained.get(number)?.reason ?? null)
}

async function findWaitReason(tx: Change, projectId: number, number: number): Promise<'waiting_for_checks' | null> {
  const environment = await findPullRequestEnvironment(tx, projectId, number)
  return environment && (await findWait(tx, environment.id)) ? 'waiting_for_checks' : null
}

/** The caller has locked the project. Returns the numbers of those that got environments. */
async function admitWaiting(ctx: Context, tx: Change, { project, by }: Admission): Promise<readonly number[]> {
  if (project.isDeleting) return []
  const { items } = await listWaiting(tx, project.id, { limit: MOST_AT_ONCE, before: undefined })
  let free = items.length > 0 ? await countFreeSlots(tx, project.id) : 0
  const admitted: number[] = []
  for (const pullRequest of items) {
    // A fork's takes no slot until it is approved.
    if (!pullRequest.isFork && free <= 0) continue
    if (await isNameOrDomainTaken(tx, environmentNamesOf(project, pullRequest.number))) continue
    await create(ctx, tx, { project, by, pullRequest })
    if (!pullRequest.isFork) free--
    admitted.push(pullRequest.number)
  }
  return admitted
}

const MOST_AT_ONCE = 200

async function countFreeSlots(tx: Change, projectId: number): Promise<number> {
  const use = await findSlots(tx, projectId)
  return use ? use.limit - use.used : 0
}

/** Its earlier environment may still be in removal, and its domain may be taken. */
function environmentNamesOf(project: Project, number: number) {
  const name = pullRequestName(number)
  return { projectId: project.id, name, domain: defaultDomain(name, project) }
}

async function create(
  ctx: Context,
  tx: Change,
  { project, by, pullRequest }: Admission & { readonly pullRequest: PullRequest },
): Promise<void> {
  const { number, isFork } = pullRequest
  const name = pullRequestName(number)
  const at = ctx.clock()
  const server = project.servers[0]
  if (!server) throw new Error(`Project ${project.id} has no server`)
  const id = await insertEnvironment(tx, {
    project_id: project.id,
    server_id: server.id,
    owner_id: project.owner.id,
    name,
    type: 'pull_request',
    pull_request_number: number,
    pull_request_title: pullRequest.title,
    pull_request_url: pullRequest.url,
    pull_request_author: pullRequest.author,
    branch: pullRequest.branch,
    // Code of forks never runs outside containers, whatever the project's recipe is.
    recipe: isFork ? ISOLATED_RECIPE : null,
    is_fork: isFork ? 1 : 0,
    awaits_approval: isFork ? 1 : 0,
    created_at: at,
    updated_at: at,
  })
  await insertDomain(tx, { environmentId: id, domain: defaultDomain(name, project) })
  await updatePullRequest(tx, pullRequest, { environment_id: id, waiting_since: null })
  await insertWebhookEvent(tx, { event: 'environment.created', environmentId: id, at })
  await tx.audit(
    {
      organizationId: project.organizationId,
      action: 'environment.created',
      target: { kind: 'environment', id, name },
    },
    by,
  )
  if (isFork) return insertOutboxPullRequest(tx, { projectId: project.id, number, at })
  const environment = await findPullRequestEnvironment(tx, project.id, number)
  const commit = /^[0-9a-f]{40}$/.test(pullRequest.headSha) ? pullRequest.headSha : undefined
  if (!environment) return
  const cause = 'pull_request'
  if (await awaitChecks(ctx, tx, environment, { cause, sha: pullRequest.headSha })) return
  await queueDeployment(ctx, tx, environment, { by, cause, commit })
}

/** For when a slot of the project may have become free. */
export async function admitWaitingOf(ctx: Context, projectId: number): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    await lockProject(tx, projectId)
    const project = await findProjectAnywhere(tx, projectId)
    if (project) await admitWaiting(ctx, tx, { project, by: PLATFORM })
  })
}
