// Remembers which comment of a pull request is ours.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { type PullRequest, updatePullRequest } from '../../store/repository-events/pull-requests.ts'

export async function recordComment(ctx: Context, pullRequest: PullRequest, id: string): Promise<void> {
  await ctx.change(PLATFORM, (tx) => updatePullRequest(tx, pullRequest, { comment_id: id }))
}
