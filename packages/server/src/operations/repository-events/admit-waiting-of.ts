// Lets the line of a project move up, because a slot may be free.
import type { Context } from '../../context.ts'
import { findProjectAnywhere, lockProject } from '../../store/projects/projects.ts'
import { platformActor } from '../platform-actor.ts'
import { admitWaiting } from './admit-pull-request.ts'

export async function admitWaitingOf(ctx: Context, projectId: number): Promise<void> {
  const admitted = await ctx.db.transaction().execute(async (db) => {
    await lockProject(db, projectId)
    const project = await findProjectAnywhere(db, projectId)
    return project ? admitWaiting(ctx, db, { project, by: platformActor }) : []
  })
  if (admitted.length > 0) ctx.bus.announce({ about: 'queue' })
}
