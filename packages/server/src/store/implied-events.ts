// Records that show parts of another record: a change of that one also notifies of these.
import type { Change } from './change.ts'

/** An environment shows the server that it is on, and a project those that it has. */
export async function notifyOfServer(tx: Change, serverId: number): Promise<void> {
  const projects = await tx
    .selectFrom('project_servers')
    .where('server_id', '=', serverId)
    .select('project_id as id')
    .execute()
  notifyAll(tx, 'project', projects)
  const on = tx.selectFrom('environments').where('server_id', '=', serverId).where('removed_at', 'is', null)
  notifyAll(tx, 'environment', await on.select('id').execute())
}

/** Columns of a project that its environments show, or that say what they are. */
const SHOWN_BY_ENVIRONMENTS = [
  'default_recipe',
  'tls',
  'basic_auth_username',
  'deleting_since',
  'variables_version',
  'expire_after_hours',
  'file_expire_after_hours',
] as const

export async function notifyOfProject(tx: Change, projectId: number, changed: Readonly<object>): Promise<void> {
  if (!SHOWN_BY_ENVIRONMENTS.some((column) => column in changed)) return
  const own = tx.selectFrom('environments').where('project_id', '=', projectId).where('removed_at', 'is', null)
  notifyAll(tx, 'environment', await own.select('id').execute())
}

/** More than pages show of what one person has started. */
const NEWEST_TASKS = 200

/** Projects and environments show the names of their owners, tasks the user who started them. */
export async function notifyOfName(tx: Change, userId: number): Promise<void> {
  const owned = tx.selectFrom('environments').where('owner_id', '=', userId).where('removed_at', 'is', null)
  notifyAll(tx, 'project', await tx.selectFrom('projects').where('owner_id', '=', userId).select('id').execute())
  notifyAll(tx, 'environment', await owned.select('id').execute())
  const started = tx.selectFrom('tasks').where('started_by', '=', userId).orderBy('id', 'desc').limit(NEWEST_TASKS)
  notifyAll(tx, 'task', await started.select('id').execute())
}

function notifyAll(
  tx: Change,
  about: 'project' | 'environment' | 'task',
  records: readonly { readonly id: number }[],
): void {
  for (const { id } of records) tx.notify({ about, id, how: 'updated' })
}
