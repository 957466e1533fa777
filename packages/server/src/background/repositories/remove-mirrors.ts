// Removes from the platform's disk the mirrors of deleted projects, uploads of removed environments, and files that a killed platform left.
import type { Context } from '../../context.ts'
import type { Source } from '../../source/source.ts'
import { listUploadedCommits } from '../../store/environments/uploads.ts'
import { listUnknownProjects } from '../../store/tasks/orphans.ts'

export type Mirrors = {
  readonly source: Pick<Source, 'listMirrors' | 'forget' | 'sweepKeys' | 'sweepUploads' | 'forgetUploads'>
}

/** A mirror can be fetched again at any time, so unknown ones are removed too. */
export async function removeMirrors(ctx: Pick<Context, 'db' | 'log'>, { source }: Mirrors): Promise<void> {
  // The folder is listed before the records are read: every mirror in it belongs to a project that was recorded earlier.
  const projectIds = await source.listMirrors()
  for (const id of await listUnknownProjects(ctx.db, projectIds)) {
    await source.forget(id).catch((error: unknown) => {
      ctx.log.warn({ err: error, project: id }, 'the mirror of a deleted project could not be removed')
    })
  }
  await source.sweepKeys()
  await source.sweepUploads()
}

/** Uploads of removed environments leave the mirrors, too. */
export async function forgetUploads(ctx: Pick<Context, 'db' | 'log'>, { source }: Mirrors): Promise<void> {
  for (const projectId of await source.listMirrors()) {
    const listStored = (sent: readonly string[]) => listUploadedCommits(ctx.db, projectId, sent)
    await source.forgetUploads(projectId, listStored).catch((error: unknown) => {
      ctx.log.warn({ err: error, project: projectId }, 'uploads of removed environments could not be removed')
    })
  }
}
