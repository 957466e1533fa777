// Writes the check run of an environment and a commit, where the project's credentials are those of a GitHub App.
import type { Context } from '../../context.ts'
import { type Annotation, annotationCandidates, annotationsOf } from '../../domain/repository/annotations.ts'
import { type CheckRun, checkRunOfApproval, checkRunOfTask, checkRunOfWait } from '../../domain/repository/check-run.ts'
import { nameAtHost } from '../../domain/repository/host-access.ts'
import type { OutputTail } from '../../domain/tasks/output-tail.ts'
import { readFailedOutput } from '../../operations/tasks/read-failed-output.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findPullRequestEnvironment } from '../../store/environments/environments.ts'
import { findCheckRun, writeCheckRun } from '../../store/repository-events/check-runs.ts'
import type { Task } from '../../store/tasks/tasks.ts'
import { describeEnvironment, describeTask } from './describe-for-git-host.ts'
import type { GitDependencies } from './git-dependencies.ts'
import type { ReportTarget } from './report-comment.ts'

type DeploymentToReport = { readonly environment: Environment; readonly task: Task; readonly sha: string }

export async function reportDeploymentCheck(
  ctx: Context,
  dependencies: GitDependencies,
  target: ReportTarget,
  { environment, task, sha }: DeploymentToReport,
): Promise<void> {
  const described = await describeTask(ctx, task)
  const output = task.status === 'failed' ? await readFailedOutput(ctx, task.id) : undefined
  const annotations = output
    ? await findAnnotations(ctx, dependencies, { projectId: target.project.id, sha, output })
    : []
  const run = checkRunOfTask({
    environment: { ...describeEnvironment(ctx, environment), name: nameAtHost(target.project, environment.name) },
    sha,
    task: described,
    output,
    annotations,
  })
  await write(ctx, dependencies, target, { environmentId: environment.id, run })
}

/** For a pull request that no task reports: one of a fork that awaits approval, or one that waits for checks. */
export async function reportPullRequestCheck(
  ctx: Context,
  dependencies: GitDependencies,
  target: ReportTarget,
  number: number,
): Promise<void> {
  const environment = await findPullRequestEnvironment(ctx.db, target.project.id, number)
  if (!environment) return
  const sha = environment.pullRequest?.headSha
  const name = nameAtHost(target.project, environment.name)
  const described = { ...describeEnvironment(ctx, environment), name }
  const run = environment.checkWait
    ? checkRunOfWait(described, environment.checkWait)
    : environment.awaitsApproval && sha
      ? checkRunOfApproval(described, sha)
      : undefined
  if (!run) return
  await write(ctx, dependencies, target, { environmentId: environment.id, run })
}

type CheckRunToWrite = { readonly environmentId: number; readonly run: CheckRun }

/** GitHub only ever adds annotations, so a run that has some is not used for another deployment. */
async function write(
  ctx: Context,
  { gitHosts }: GitDependencies,
  { repository }: ReportTarget,
  { environmentId, run }: CheckRunToWrite,
): Promise<void> {
  const known = await findCheckRun(ctx.db, { environmentId, sha: run.sha })
  const id = known?.hasAnnotations ? null : (known?.hostId ?? null)
  const hostId = await gitHosts.writeCheckRun(repository, { ...run, id })
  await writeCheckRun(ctx.db, { environmentId, sha: run.sha, hostId, hasAnnotations: run.annotations.length > 0 })
}

type FailedOutput = { readonly projectId: number; readonly sha: string; readonly output: OutputTail }

/** A mirror that lacks the commit only costs the annotations. */
async function findAnnotations(
  ctx: Context,
  { source }: GitDependencies,
  { projectId, sha, output }: FailedOutput,
): Promise<readonly Annotation[]> {
  const candidates = annotationCandidates(output.text)
  if (candidates.length === 0) return []
  try {
    const files = await source.findFiles(projectId, sha, new Set(candidates.map(({ path }) => path)))
    return annotationsOf(candidates, files)
  } catch (error) {
    ctx.log.info({ err: error, project: projectId }, 'could not look up the files that a failed step names')
    return []
  }
}
