// Lets the line of a project move up, because a slot may be free.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { findProjectAnywhere, lockProject } from '../../store/projects/projects.ts'
import { admitWaiting } from './admit-pull-request.ts'

export async function admitWaitingOf(ctx: Context, projectId: number): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    await lockProject(tx, projectId)
    const project = await findProjectAnywhere(tx, projectId)
    if (project) await admitWaiting(ctx, tx, { project, by: PLATFORM })
  })
}
