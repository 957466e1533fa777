// Looks at the checks of commits that wait for them: after a webhook of the git host, and now and then without one.
import type { Context } from '../../context.ts'
import { checksVerdict, SETTLE_MS } from '../../domain/repository/commit-checks.ts'
import {
  deployCheckedCommit,
  postponeChecks,
  recordChecks,
  recordCommit,
  takeNextWait,
} from '../../operations/repository-events/checks-of-wait.ts'
import type { HostRepository } from '../../source/git-host/host-repository.ts'
import { findDeployAfter, type LeasedWait } from '../../store/repository-events/check-waits.ts'
import { findTargetBranch } from '../../store/repository-events/pull-requests.ts'
import { findProjectAtHost } from '../../store/repository-events/reconciliations.ts'
import { askHosts } from './ask-hosts.ts'
import type { GitDependencies } from './git-dependencies.ts'

export async function waitForChecks(ctx: Context, dependencies: GitDependencies, signal: AbortSignal): Promise<void> {
  const work = async (wait: LeasedWait): Promise<void> => {
    try {
      await checkOnce(ctx, dependencies, wait)
    } catch (error) {
      ctx.log.warn({ err: error, project: wait.projectId }, 'could not read the checks of a commit')
      await postponeChecks(ctx, wait, error)
    }
  }
  await askHosts({ take: (busy) => takeNextWait(ctx, busy), work }, signal)
}

async function checkOnce(ctx: Context, dependencies: GitDependencies, taken: LeasedWait): Promise<void> {
  // The project has stopped waiting for checks.
  if (!(await findDeployAfter(ctx.db, taken.projectId))) return deployCheckedCommit(ctx, taken)
  const project = await findProjectAtHost(ctx.db, taken.projectId)
  const repository = project && (await ctx.credentials.openRepository(project))
  if (!repository) throw new Error('The project has no token for its git host')
  // The commit whose checks are read is the one that is deployed, whatever the branch has by then.
  const wait = await recordCommit(ctx, taken, await dependencies.gitHosts.findHash(repository, taken.sha))
  const names = wait.isResolved ? wait.names : await findNames(ctx, dependencies, { wait, repository })
  const verdict = checksVerdict(await dependencies.gitHosts.listChecks(repository, wait.sha), names)
  const resolved = { names, isResolved: true }
  if (verdict.kind === 'red')
    return recordChecks(ctx, wait, { ...resolved, state: 'failed', openChecks: [verdict.name] })
  const now = ctx.clock()
  if (verdict.kind === 'green') {
    const greenSince = wait.greenSince ?? now
    // Named and required ones are complete; others may still be on their way.
    if (names.length > 0 || now - greenSince >= SETTLE_MS) return deployCheckedCommit(ctx, wait)
    return recordChecks(ctx, wait, { ...resolved, openChecks: [], greenSince })
  }
  const state = now >= wait.deadlineAt ? 'timed_out' : 'waiting'
  await recordChecks(ctx, wait, { ...resolved, state, openChecks: verdict.names, greenSince: null })
}

type WaitAtHost = { readonly wait: LeasedWait; readonly repository: HostRepository }

/** Those that the project names, else those that the branch requires which the commit is for. None: all that are reported. */
async function findNames(
  ctx: Context,
  { gitHosts }: GitDependencies,
  { wait, repository }: WaitAtHost,
): Promise<readonly string[]> {
  if (wait.names.length > 0) return wait.names
  const branch = await findTargetBranch(ctx.db, wait.environmentId)
  return branch === undefined ? [] : gitHosts.listRequiredChecks(repository, branch)
}
