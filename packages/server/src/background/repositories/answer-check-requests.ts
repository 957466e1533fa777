// Asks GitHub whether the sender of a check request may write to the repository, then carries the request out.
import type { Context } from '../../context.ts'
import type { WriteAccess } from '../../domain/repository/write-access.ts'
import {
  carryOutCheckRequest,
  postponeCheckRequest,
  refuseCheckRequest,
  takeNextCheckRequest,
} from '../../operations/repository-events/carry-out-check-request.ts'
import { isOfApp } from '../../source/git-host/host-repository.ts'
import type { LeasedCheckRequest } from '../../store/repository-events/check-requests.ts'
import { findProjectAtHost } from '../../store/repository-events/reconciliations.ts'
import { askHosts } from './ask-hosts.ts'
import type { GitDependencies } from './git-dependencies.ts'

export async function answerCheckRequests(
  ctx: Context,
  dependencies: GitDependencies,
  signal: AbortSignal,
): Promise<void> {
  const answer = async (request: LeasedCheckRequest): Promise<void> => {
    try {
      const access = await findAccess(ctx, dependencies, request)
      if (access === 'write') await carryOutCheckRequest(ctx, request)
      else await refuseCheckRequest(ctx, request, REFUSALS[access])
    } catch (error) {
      ctx.log.warn({ err: error, project: request.projectId }, 'could not carry out a request made at GitHub')
      await postponeCheckRequest(ctx, request, error)
    }
  }
  await askHosts({ take: (busy) => takeNextCheckRequest(ctx, busy), work: answer }, signal)
}

const REFUSALS = { none: 'no_write_access', unknown: 'write_access_unknown' } as const

async function findAccess(
  ctx: Context,
  { gitHosts }: GitDependencies,
  { projectId, sender }: LeasedCheckRequest,
): Promise<WriteAccess> {
  const project = await findProjectAtHost(ctx.db, projectId)
  const repository = project && (await ctx.credentials.openRepository(project))
  if (!repository || !isOfApp(repository)) return 'unknown'
  return gitHosts.findWriteAccess(repository, { name: sender, id: null })
}
