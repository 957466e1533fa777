// Removes from the platform's own disk what is there of projects that are deleted: their mirrors, and keys that a killed platform left.
import type { Context } from '../../context.ts'
import type { Source } from '../../source/source.ts'
import { listUnknownProjects } from '../../store/tasks/orphans.ts'

export type Mirrors = { readonly source: Pick<Source, 'listMirrors' | 'forget' | 'sweepKeys'> }

/** A mirror can be fetched again at any time, so one that the records know nothing of is not worth keeping either. */
export async function removeMirrors(ctx: Pick<Context, 'db' | 'log'>, { source }: Mirrors): Promise<void> {
  // The folder is asked first: a mirror that is there was made for a project that stood in the records before.
  const projectIds = await source.listMirrors()
  for (const id of await listUnknownProjects(ctx.db, projectIds)) {
    await source.forget(id).catch((error: unknown) => {
      ctx.log.warn({ err: error, project: id }, 'the mirror of a deleted project could not be removed')
    })
  }
  await source.sweepKeys()
}
