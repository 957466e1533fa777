// Sends git hosts what is in the outbox: the status of a commit, the one comment of a pull request, and GitHub's deployments.
import type { Context } from '../../context.ts'
import { urlOf } from '../../domain/environment.ts'
import { expiryOf } from '../../domain/expiry.ts'
import { commentMarker, commentOf, type FeedbackTask, sentenceOf } from '../../domain/repository/feedback.ts'
import type { ProjectAtHost } from '../../domain/repository/host-access.ts'
import { failedStepOf, isFinal, TASK_KINDS } from '../../domain/tasks/task.ts'
import { explainWaiting } from '../../operations/environments/explain-waiting.ts'
import {
  endReport,
  postponeReport,
  recordComment,
  recordReported,
  takeNextReport,
} from '../../operations/repository-events/outbox.ts'
import type { HostRepository } from '../../source/git-hosts.ts'
import { findEnvironmentAnywhere, findPullRequestEnvironment } from '../../store/environments/environments.ts'
import { findPullRequestNumber, findRemoval } from '../../store/environments/removed-environments.ts'
import type { OutboxEntry } from '../../store/repository-events/outbox.ts'
import { findPullRequest } from '../../store/repository-events/pull-requests.ts'
import { findProjectAtHost } from '../../store/repository-events/reconciliations.ts'
import { listSteps } from '../../store/tasks/steps.ts'
import { findLatestTask, findTaskAnywhere, type Task } from '../../store/tasks/tasks.ts'
import type { GitDependencies } from './git-dependencies.ts'

export async function reportDue(ctx: Context, dependencies: GitDependencies, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const entry = await takeNextReport(ctx)
    if (!entry) return
    try {
      await report(ctx, dependencies, entry)
    } catch (error) {
      ctx.log.warn({ err: error, project: entry.projectId }, 'could not report to a git host')
      await postponeReport(ctx, entry, error)
    }
  }
}

async function report(ctx: Context, dependencies: GitDependencies, entry: OutboxEntry): Promise<void> {
  const project = await findProjectAtHost(ctx.db, entry.projectId)
  const repository = project && (await ctx.credentials.openRepository(project))
  if (!project || !repository) return endReport(ctx, entry)
  const target = { project, repository }
  if (entry.taskId === null) {
    if (entry.pullRequestNumber !== null) await reportComment(ctx, dependencies, target, entry.pullRequestNumber)
    return endReport(ctx, entry)
  }
  const task = await findTaskAnywhere(ctx.db, entry.taskId)
  if (!task) return endReport(ctx, entry)
  const hostDeploymentId = await reportTask(ctx, dependencies, target, { task, entry })
  if (isFinal(task.status)) return endReport(ctx, entry)
  await recordReported(ctx, entry, { status: task.status, hostDeploymentId })
}

type ProjectRepository = { readonly project: ProjectAtHost; readonly repository: HostRepository }

async function reportTask(
  ctx: Context,
  dependencies: GitDependencies,
  { project, repository }: ProjectRepository,
  { task, entry }: { readonly task: Task; readonly entry: OutboxEntry },
): Promise<string | null> {
  const { gitHosts } = dependencies
  const environment = await findEnvironmentAnywhere(ctx.db, task.environmentId)
  const feedback = await feedbackOf(ctx, task)
  let hostDeploymentId = entry.hostDeploymentId
  if (TASK_KINDS[task.kind].isDeployment && task.commit && environment) {
    const status = {
      sha: task.commit.sha,
      state: task.status,
      context: `shipway/${environment.name}`,
      description: sentenceOf(feedback),
      url: feedback.url,
    }
    await gitHosts.setCommitStatus(repository, status)
    hostDeploymentId = await gitHosts.writeDeployment(repository, {
      ...status,
      id: hostDeploymentId,
      environment: environment.name,
      environmentUrl: addressOf(ctx, environment),
      isTransient: environment.type === 'pull_request',
    })
  }
  // A removed environment has kept its pull request number.
  const number = entry.pullRequestNumber ?? (await findPullRequestNumber(ctx.db, task.environmentId))
  if (number !== null) await reportComment(ctx, dependencies, { project, repository }, number)
  return hostDeploymentId
}

/** Written from the current records, whatever made it due: of two late comments, the second says the same. */
async function reportComment(
  ctx: Context,
  { gitHosts }: GitDependencies,
  { project, repository }: ProjectRepository,
  number: number,
): Promise<void> {
  const pullRequest = await findPullRequest(ctx.db, project.id, number)
  if (!pullRequest) return
  const environment = await findPullRequestEnvironment(ctx.db, project.id, number)
  const latest = environment && (await findLatestTask(ctx.db, environment.id))
  const isWaiting = pullRequest.waitingSince !== null
  const explained = isWaiting ? await explainWaiting(ctx.db, project.id, [pullRequest]) : undefined
  const waiting = isWaiting ? (explained?.get(number)?.reason ?? null) : undefined
  const text = commentOf({
    projectId: project.id,
    state: pullRequest.state,
    waiting,
    refusal: isWaiting ? null : (pullRequest.refusal?.sentence ?? null),
    environment: environment
      ? {
          name: environment.name,
          url: addressOf(ctx, environment),
          awaitsApproval: environment.awaitsApproval,
          expiresAt: expiryOf(environment),
        }
      : null,
    removal: (pullRequest.environmentId !== null && (await findRemoval(ctx.db, pullRequest.environmentId))) || null,
    task: latest ? await feedbackOf(ctx, latest) : null,
  })
  const comment = { number, id: pullRequest.commentId, marker: commentMarker(project.id), text }
  const id = await gitHosts.writeComment(repository, comment)
  if (id !== pullRequest.commentId) await recordComment(ctx, pullRequest, id)
}

async function feedbackOf(ctx: Context, task: Task): Promise<FeedbackTask> {
  const steps = (await listSteps(ctx.db, [task.id])).get(task.id) ?? []
  const failed = failedStepOf(steps)
  return {
    kind: task.kind,
    status: task.status,
    reason: task.reason,
    commitSha: task.commit?.sha ?? null,
    url: `${ctx.config.baseUrl}/environments/${task.environmentId}/tasks/${task.id}`,
    failedStep: failed ? { phase: failed.phase, name: failed.name, message: failed.message } : null,
  }
}

type Addressed = NonNullable<Awaited<ReturnType<typeof findEnvironmentAnywhere>>>

const addressOf = (ctx: Context, { domain, tls, server }: Addressed): string =>
  urlOf(domain, { tls, edge: server.edge, baseUrl: ctx.config.baseUrl })
