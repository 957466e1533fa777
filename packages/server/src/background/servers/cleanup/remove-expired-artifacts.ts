// Removes expired artifacts from a server, and those of failed actions.
import type { Context } from '../../../context.ts'
import { listKeptFolders } from '../../../remote/artifacts/kept-folders.ts'
import type { Host } from '../../../remote/host.ts'
import type { Runtime } from '../../../runtimes/runtime.ts'
import { listTasksWithoutArtifacts } from '../../../store/actions/artifacts.ts'

const BATCH = 100

/** `folder`: the platform's folder on that server. Returns a sentence for everything that had to stay. */
export async function removeExpiredArtifacts(
  ctx: Context,
  { runtime, host, folder }: { readonly runtime: Runtime; readonly host: Host; readonly folder: string },
): Promise<readonly string[]> {
  const found = await listKeptFolders(host, folder)
  const expired: string[] = []
  for (let from = 0; from < found.length; from += BATCH) {
    const some = found.slice(from, from + BATCH)
    const ids = some.map(({ taskId }) => taskId)
    const withoutArtifacts = new Set(await listTasksWithoutArtifacts(ctx.db, ids, ctx.clock()))
    expired.push(...some.filter(({ taskId }) => withoutArtifacts.has(taskId)).map(({ path }) => path))
  }
  return runtime.removePaths(host, folder, expired)
}
