// Asks the git host again whether the author of a command in a comment may write to the repository, then carries the command out.
import type { Context } from '../../context.ts'
import type { WriteAccess } from '../../domain/repository/write-access.ts'
import {
  carryOutCommentRequest,
  postponeCommentRequest,
  takeNextCommentRequest,
} from '../../operations/repository-events/carry-out-comment-request.ts'
import type { LeasedCommentRequest } from '../../store/repository-events/comment-requests.ts'
import { findProjectAtHost } from '../../store/repository-events/reconciliations.ts'
import { askHosts } from './ask-hosts.ts'

export async function answerCommentRequests(ctx: Context, signal: AbortSignal): Promise<void> {
  const work = async (request: LeasedCommentRequest): Promise<void> => {
    try {
      await carryOutCommentRequest(ctx, request, await findAccess(ctx, request))
    } catch (error) {
      ctx.log.warn({ err: error, project: request.projectId }, 'could not carry out a command in a comment')
      await postponeCommentRequest(ctx, request, error)
    }
  }
  await askHosts({ take: (busy) => takeNextCommentRequest(ctx, busy), work }, signal)
}

async function findAccess(ctx: Context, { projectId, event }: LeasedCommentRequest): Promise<WriteAccess> {
  const project = await findProjectAtHost(ctx.db, projectId)
  const repository = project && (await ctx.credentials.openRepository(project))
  return repository ? ctx.repositories.findWriteAccess(repository, event.author) : 'unknown'
}
