// Reads the `.service.yml` of a project's settings.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { findProject } from '../../store/projects/projects.ts'
import { findServiceFile } from '../../store/projects/service-files.ts'
import { orNotFound } from '../or-not-found.ts'

export async function getServiceFile(ctx: Context, actor: Actor, id: number): Promise<string | null> {
  orNotFound(await findProject(ctx.db, actor, id), 'project')
  return findServiceFile(ctx.db, id)
}
