// Rows of project_servers: the servers of a project; its environments use the first by default.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type ProjectServer = {
  readonly id: number
  readonly name: string
  readonly hostname: string
}

type Span = { readonly organizationIds: readonly number[]; readonly from: number; readonly to: number }

/**
 * Servers by project, for the projects of some organizations between two ids. A page of projects is such a span, so the
 * query's text stays the same however many there are.
 */
export async function listServersOfProjects(
  db: Kysely<Tables>,
  { organizationIds, from, to }: Span,
): Promise<ReadonlyMap<number, readonly ProjectServer[]>> {
  const { rows } = await sql<ProjectServer & { project_id: number }>`
    select o.project_id, s.id, s.name, s.hostname
    from projects p
    join project_servers o on o.project_id = p.id
    join servers s on s.id = o.server_id
    where p.organization_id in (${sql.join(organizationIds)}) and p.id between ${from} and ${to}
    order by o.project_id, o.position`.execute(db)
  const servers = new Map<number, ProjectServer[]>()
  for (const { project_id, id, name, hostname } of rows) {
    const own = servers.get(project_id)
    if (own) own.push({ id, name, hostname })
    else servers.set(project_id, [{ id, name, hostname }])
  }
  return servers
}

/** Puts these servers in the place of those that the project had, in this order. */
export async function updateServersOfProject(
  tx: Change,
  projectId: number,
  serverIds: readonly number[],
): Promise<void> {
  const before = await tx
    .deleteFrom('project_servers')
    .where('project_id', '=', projectId)
    .returning('server_id')
    .execute()
  await tx
    .insertInto('project_servers')
    .values(serverIds.map((server_id, position) => ({ project_id: projectId, server_id, position })))
    .execute()
  tx.notify({ about: 'project', id: projectId, how: 'updated' })
  // A server shows how many projects have it.
  for (const id of [...before.map(({ server_id }) => server_id), ...serverIds])
    tx.notify({ about: 'server', id, how: 'updated' })
}

/** Those of the servers that belong to the organization. */
export async function listServersOfOrganization(
  db: Kysely<Tables>,
  organizationId: number,
  serverIds: readonly number[],
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('servers')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', serverIds)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}
