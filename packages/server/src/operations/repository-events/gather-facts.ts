// Gathers what the rules about pull requests need and the events do not say, before the transaction that applies them: the rules of the
// default branch, the changed files, and whether the author of a command may push.
import type { Context } from '../../context.ts'
import { needsFiles } from '../../domain/repository/decide-pull-request.ts'
import { effectiveRules } from '../../domain/repository/pull-request-rules.ts'
import {
  type CommentEvent,
  isOpenEvent,
  isSameCommit,
  type PullRequestFacts,
  type RepositoryEvent,
} from '../../domain/repository/repository-event.ts'
import type { WriteAccess } from '../../domain/repository/write-access.ts'
import { findPullRequestEnvironment, listEnvironmentsOfBranch } from '../../store/environments/environments.ts'
import { findProjectAnywhere, type Project } from '../../store/projects/projects.ts'
import { findPullRequest, type PullRequest } from '../../store/repository-events/pull-requests.ts'
import { findProjectAtHost } from '../../store/repository-events/reconciliations.ts'
import { listSucceededDeployments } from '../../store/tasks/tasks.ts'
import { reachRepository } from '../projects/reach-repository.ts'
import { refreshFileRules } from './refresh-file-rules.ts'

/** `unreachable`: the git host could not be asked now, but can be asked again. */
type GatheredAccess = WriteAccess | 'unreachable'

export type GatheredFacts = {
  /** Missing where the list cannot be had. */
  filesOf(compared: ComparedCommit): readonly string[] | undefined
  accessOf(author: CommentEvent['author']): GatheredAccess
}

export const NO_FACTS: GatheredFacts = { filesOf: () => undefined, accessOf: () => 'unknown' }

/** Nothing is asked for events that no rule is about. */
export async function gatherFacts(
  ctx: Context,
  projectId: number,
  events: readonly RepositoryEvent[],
): Promise<GatheredFacts> {
  const subjects = await findSubjects(ctx, projectId, events)
  const comments = events.filter((event) => event.kind === 'comment')
  if (subjects.length + comments.length === 0) return NO_FACTS
  await refreshFileRules(ctx, projectId)
  const project = await findProjectAnywhere(ctx.db, projectId)
  if (!project) return NO_FACTS
  const files = new Map<string, readonly string[]>()
  for (const subject of subjects) {
    const found = await findFiles(ctx, project, subject)
    if (found) files.set(keyOf(subject), found)
  }
  const access = new Map<string, GatheredAccess>()
  if (effectiveRules(project.pullRequestRules, project.fileRules.rules).comments)
    for (const { author } of comments) access.set(author.name, await findAccess(ctx, projectId, author))
  return {
    filesOf: (compared) => files.get(keyOf(compared)),
    accessOf: ({ name }) => access.get(name) ?? 'unknown',
  }
}

/** A pull request at a commit, compared with its target branch. */
type ComparedCommit = Pick<PullRequestFacts, 'number' | 'headSha' | 'targetBranch'>

const keyOf = ({ number, headSha, targetBranch }: ComparedCommit): string => `${number} ${headSha} ${targetBranch}`

/** The stored comparison, if it is of this commit with this target branch. */
export function findComparison(
  { comparison }: Pick<PullRequest, 'comparison'>,
  { headSha, targetBranch }: Pick<ComparedCommit, 'headSha' | 'targetBranch'>,
): NonNullable<PullRequest['comparison']> | undefined {
  if (!comparison || comparison.targetBranch !== targetBranch) return undefined
  return isSameCommit(comparison.sha, headSha) ? comparison : undefined
}

/** A pull request at the commit that an event reports. */
type Subject = Pick<
  PullRequestFacts,
  'number' | 'headSha' | 'branch' | 'isFork' | 'isDraft' | 'targetBranch' | 'labels'
> & {
  readonly known: PullRequest | undefined
  readonly isBot: boolean
  readonly author: string | null
}

async function findSubjects(
  ctx: Context,
  projectId: number,
  events: readonly RepositoryEvent[],
): Promise<readonly Subject[]> {
  const subjects: Subject[] = []
  for (const event of events) {
    if (event.kind === 'pull_request' && isOpenEvent(event)) {
      const facts = event.pullRequest
      const known = await findPullRequest(ctx.db, projectId, facts.number)
      const isBot = facts.isBot ?? known?.isBot ?? false
      subjects.push({ ...facts, known, isBot, author: facts.author ?? known?.author ?? null })
    }
    if (event.kind === 'push' && !event.isDeleted) {
      for (const { pullRequest } of await listEnvironmentsOfBranch(ctx.db, projectId, event.branch)) {
        const known = pullRequest && (await findPullRequest(ctx.db, projectId, pullRequest.number))
        if (known) subjects.push({ ...known, headSha: event.sha, known })
      }
    }
  }
  return subjects
}

/** Commits of forks are not fetched before they are approved: their files count as a match. */
async function findFiles(ctx: Context, project: Project, subject: Subject): Promise<readonly string[] | undefined> {
  const { known, number, headSha: sha, branch, isFork, targetBranch } = subject
  const rules = effectiveRules(project.pullRequestRules, project.fileRules.rules)
  const facts = { ...subject, requested: known?.requested ?? null }
  if (isFork || targetBranch === null || !needsFiles(facts, rules)) return undefined
  if (known && findComparison(known, subject)) return undefined
  try {
    const reached = await reachRepository(ctx, project.id)
    if (!reached) return undefined
    const { repository, onHostKey } = reached
    const environment = await findPullRequestEnvironment(ctx.db, project.id, number)
    const [deployed] = environment ? await listSucceededDeployments(ctx.db, environment.id, 1) : []
    const compared = { branch, sha, targetBranch, deployedSha: deployed?.commit?.sha ?? null }
    return await ctx.repositories.listChangedFiles(repository, compared, { onHostKey })
  } catch (error) {
    ctx.log.info({ err: error, project: project.id, number }, 'could not list the changed files of a pull request')
    return undefined
  }
}

async function findAccess(ctx: Context, projectId: number, author: CommentEvent['author']): Promise<GatheredAccess> {
  try {
    const project = await findProjectAtHost(ctx.db, projectId)
    const repository = project && (await ctx.credentials.openRepository(project))
    return repository ? await ctx.repositories.findWriteAccess(repository, author) : 'unknown'
  } catch (error) {
    ctx.log.warn({ err: error, project: projectId }, 'could not ask a git host for the access of an account')
    return 'unreachable'
  }
}
