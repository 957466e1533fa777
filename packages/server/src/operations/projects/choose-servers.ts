// The servers that a project asks for, each once and all of its own organization.
import type { Kysely } from 'kysely'
import { InvalidField } from '../../domain/errors.ts'
import { listServersOfOrganization } from '../../store/projects/project-servers.ts'
import type { Tables } from '../../store/tables/tables.ts'

/** A server of another organization is answered like one that is not there. */
export async function chooseServers(
  db: Kysely<Tables>,
  organizationId: number,
  serverIds: readonly number[],
): Promise<readonly number[]> {
  const chosen = [...new Set(serverIds)]
  const known = await listServersOfOrganization(db, organizationId, chosen)
  const unknown = chosen.filter((id) => !known.includes(id))
  if (unknown.length > 0) {
    const detail = `The organization has no server with the id ${unknown.join(', ')}. Choose servers of the organization`
    throw InvalidField('/server_ids', 'not_found', detail)
  }
  return chosen
}
