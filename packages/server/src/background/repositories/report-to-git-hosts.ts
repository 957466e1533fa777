// Sends git hosts what is in the outbox: the status of a commit or its check run, the one comment of a pull request, and GitHub's
// deployments.
import type { Context } from '../../context.ts'
import { checkNameOf } from '../../domain/repository/check-run.ts'
import { sentenceOf } from '../../domain/repository/feedback.ts'
import { nameAtHost } from '../../domain/repository/host-access.ts'
import { isFinal, TASK_KINDS } from '../../domain/tasks/task.ts'
import {
  endReport,
  postponeComment,
  postponeReport,
  recordHostDeployment,
  recordReported,
  takeNextReport,
} from '../../operations/repository-events/outbox.ts'
import { isOfApp } from '../../source/git-host/host-repository.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironmentAnywhere } from '../../store/environments/environments.ts'
import { findNamedEnvironment } from '../../store/environments/removed-environments.ts'
import type { OutboxEntry } from '../../store/repository-events/outbox.ts'
import { findProjectAtHost } from '../../store/repository-events/reconciliations.ts'
import { findTaskAnywhere, type Task } from '../../store/tasks/tasks.ts'
import { askHosts } from './ask-hosts.ts'
import { describeEnvironment, describeTask } from './describe-for-git-host.ts'
import type { GitDependencies } from './git-dependencies.ts'
import { reportDeploymentCheck, reportPullRequestCheck } from './report-check-run.ts'
import { type ReportTarget, reportComment } from './report-comment.ts'

export async function reportDue(ctx: Context, dependencies: GitDependencies, signal: AbortSignal): Promise<void> {
  const work = async (entry: OutboxEntry): Promise<void> => {
    try {
      await report(ctx, dependencies, entry)
    } catch (error) {
      ctx.log.warn({ err: error, project: entry.projectId }, 'could not report to a git host')
      await postponeReport(ctx, entry, error)
    }
  }
  await askHosts({ take: (busy) => takeNextReport(ctx, busy), work }, signal)
}

async function report(ctx: Context, dependencies: GitDependencies, entry: OutboxEntry): Promise<void> {
  const project = await findProjectAtHost(ctx.db, entry.projectId)
  const repository = project && (await ctx.credentials.openRepository(project))
  if (!repository) return endReport(ctx, entry)
  const target = { project, repository }
  if (entry.taskId === null) {
    if (entry.pullRequestNumber !== null) await reportPullRequest(ctx, dependencies, target, entry.pullRequestNumber)
    return endReport(ctx, entry)
  }
  const task = await findTaskAnywhere(ctx.db, entry.taskId)
  if (!task) return endReport(ctx, entry)
  await reportTask(ctx, dependencies, target, { task, entry })
  if (isFinal(task.status)) return endReport(ctx, entry)
  await recordReported(ctx, entry, task.status)
}

async function reportPullRequest(
  ctx: Context,
  dependencies: GitDependencies,
  target: ReportTarget,
  number: number,
): Promise<void> {
  if (isOfApp(target.repository)) await reportPullRequestCheck(ctx, dependencies, target, number)
  await reportComment(ctx, dependencies, target, number)
}

async function reportTask(
  ctx: Context,
  dependencies: GitDependencies,
  target: ReportTarget,
  { task, entry }: { readonly task: Task; readonly entry: OutboxEntry },
): Promise<void> {
  const environment = await findEnvironmentAnywhere(ctx.db, task.environmentId)
  if (TASK_KINDS[task.kind].isDeployment && task.commit && environment) {
    const { sha } = task.commit
    await reportDeployment(ctx, dependencies, target, { task, sha, environment, entry })
  }
  // A removed environment keeps its name and its pull request number.
  const named = await findNamedEnvironment(ctx.db, task.environmentId)
  if (named && TASK_KINDS[task.kind].removesEnvironment && task.status === 'succeeded')
    await dependencies.gitHosts.endDeployments(target.repository, nameAtHost(target.project, named.name))
  const number = entry.pullRequestNumber ?? named?.pullRequestNumber ?? null
  if (number === null) return
  await reportComment(ctx, dependencies, target, number).catch(async (error: unknown) => {
    ctx.log.warn({ err: error, project: target.project.id, number }, 'could not write the comment of a pull request')
    await postponeComment(ctx, { projectId: target.project.id, number }, error)
  })
}

type DeploymentToReport = {
  readonly task: Task
  readonly sha: string
  readonly environment: Environment
  readonly entry: OutboxEntry
}

async function reportDeployment(
  ctx: Context,
  dependencies: GitDependencies,
  target: ReportTarget,
  { task, sha, environment, entry }: DeploymentToReport,
): Promise<void> {
  const { repository } = target
  const { gitHosts } = dependencies
  const described = await describeTask(ctx, task)
  const status = {
    sha,
    state: task.status,
    context: checkNameOf({ name: nameAtHost(target.project, environment.name) }),
    description: sentenceOf(described),
    url: described.url,
  }
  if (isOfApp(repository)) await reportDeploymentCheck(ctx, dependencies, target, { environment, task, sha })
  else await gitHosts.setCommitStatus(repository, status)
  const deployment = {
    ...status,
    environment: nameAtHost(target.project, environment.name),
    environmentUrl: describeEnvironment(ctx, environment).url,
    isTransient: environment.type === 'pull_request',
  }
  const id = entry.hostDeploymentId ?? (await gitHosts.createDeployment(repository, deployment))
  if (id === null) return
  if (entry.hostDeploymentId === null) await recordHostDeployment(ctx, entry, id)
  await gitHosts.setDeploymentState(repository, id, deployment)
}
