// The servers that a project asks for, each once and all of its own organization.
import { InvalidField } from '../../domain/errors.ts'
import type { Change } from '../../store/change.ts'
import { listServersOfOrganization } from '../../store/projects/project-servers.ts'

/** A server of another organization gives the same error as a missing one. */
export async function chooseServers(
  tx: Change,
  organizationId: number,
  serverIds: readonly number[],
): Promise<readonly number[]> {
  const chosen = [...new Set(serverIds)]
  const known = await listServersOfOrganization(tx, organizationId, chosen)
  const unknown = chosen.filter((id) => !known.includes(id))
  if (unknown.length > 0) {
    const detail = `The organization has no server with the id ${unknown.join(', ')}. Choose servers of the organization`
    throw InvalidField('/server_ids', 'not_found', detail)
  }
  return chosen
}
