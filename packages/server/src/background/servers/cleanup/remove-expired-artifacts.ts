// Takes the files of actions off a server whose time is over, and what runs that failed have left of theirs.
import type { Context } from '../../../context.ts'
import { listKeptFolders } from '../../../recipes/actions/kept-folders.ts'
import { removePaths } from '../../../recipes/orphans.ts'
import type { Host } from '../../../remote/host.ts'
import { listTasksWithoutArtifacts } from '../../../store/actions/artifacts.ts'

const MOST_AT_ONCE = 100

/** `folder` is the platform's on that server. Gives a sentence for each thing that had to stay. */
export async function removeExpiredArtifacts(ctx: Context, host: Host, folder: string): Promise<readonly string[]> {
  const found = await listKeptFolders(host, folder)
  const over: string[] = []
  for (let from = 0; from < found.length; from += MOST_AT_ONCE) {
    const some = found.slice(from, from + MOST_AT_ONCE)
    const ids = some.map(({ taskId }) => taskId)
    const doomed = new Set(await listTasksWithoutArtifacts(ctx.db, ids, ctx.clock()))
    over.push(...some.filter(({ taskId }) => doomed.has(taskId)).map(({ path }) => path))
  }
  return removePaths(host, folder, over)
}
