// Remembers which comment of a pull request is ours.
import type { Context } from '../../context.ts'
import { type PullRequest, updatePullRequest } from '../../store/repository-events/pull-requests.ts'

export async function keepComment(ctx: Context, pullRequest: PullRequest, id: string): Promise<void> {
  await updatePullRequest(ctx.db, pullRequest, { comment_id: id })
}
