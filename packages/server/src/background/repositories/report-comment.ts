// Writes the one comment of a pull request, from the current records, whatever made it due: of two late comments, the second says the same.
import type { Context } from '../../context.ts'
import { commentOf } from '../../domain/repository/feedback.ts'
import type { ProjectAtHost } from '../../domain/repository/host-access.ts'
import { explainWaiting } from '../../operations/environments/explain-waiting.ts'
import { recordComment } from '../../operations/repository-events/outbox.ts'
import { digestOf } from '../../secrets/token.ts'
import { type HostRepository, isOfApp } from '../../source/git-host/host-repository.ts'
import { findPullRequestEnvironment } from '../../store/environments/environments.ts'
import { findRemoval } from '../../store/environments/removed-environments.ts'
import { findPullRequest } from '../../store/repository-events/pull-requests.ts'
import { findLatestTask } from '../../store/tasks/tasks.ts'
import { describeEnvironment, describeTask } from './describe-for-git-host.ts'
import type { GitDependencies } from './git-dependencies.ts'

export type ReportTarget = { readonly project: ProjectAtHost; readonly repository: HostRepository }

export async function reportComment(
  ctx: Context,
  { gitHosts }: GitDependencies,
  { project, repository }: ReportTarget,
  number: number,
): Promise<void> {
  const pullRequest = await findPullRequest(ctx.db, project.id, number)
  if (!pullRequest) return
  const environment = await findPullRequestEnvironment(ctx.db, project.id, number)
  const latest = environment && (await findLatestTask(ctx.db, environment.id))
  const isWaiting = pullRequest.waitingSince !== null
  const explained = isWaiting ? await explainWaiting(ctx.db, project.id, [pullRequest]) : undefined
  const text = commentOf({
    project,
    hasCheckRun: isOfApp(repository),
    state: pullRequest.state,
    waiting: isWaiting ? (explained?.get(number)?.reason ?? null) : undefined,
    refusal: isWaiting ? null : (pullRequest.refusal?.sentence ?? null),
    environment: environment ? describeEnvironment(ctx, environment) : null,
    removal: (pullRequest.environmentId !== null && (await findRemoval(ctx.db, pullRequest.environmentId))) || null,
    task: latest ? await describeTask(ctx, latest) : null,
  })
  const marker = markerOf(project, number)
  const comment = { number, id: pullRequest.commentId, marker, text: `${marker}\n\n${text}` }
  const id = await gitHosts.writeComment(repository, comment)
  if (id !== pullRequest.commentId) await recordComment(ctx, pullRequest, id)
}

/**
 * Finds our comment again where its id was not stored. It is invisible, and only the platform can write it before it is there: other
 * accounts comment, too, and must not have theirs taken for ours.
 */
const markerOf = ({ id, hookId }: ProjectAtHost, number: number): string =>
  `[//]: # (shipway-project-${id}-${digestOf(`comment ${hookId} ${number}`).slice(0, 32)})`
