// Open invitations of an organization: by id or e-mail address.
import type { Client, Invitation } from '@shipway/api'
import { findByName, readId } from './find-by-name.ts'
import { PAGE_SIZE, readAllPages } from './read-all-pages.ts'

export const listInvitations = (client: Client, organizationId: number): Promise<Invitation[]> =>
  readAllPages((cursor) =>
    client.raw.listInvitations({ params: { id: organizationId }, query: { limit: PAGE_SIZE, cursor } }),
  )

export async function findInvitation(client: Client, organizationId: number, wanted: string): Promise<Invitation> {
  const invitations = (await listInvitations(client, organizationId)).map((each) => ({ ...each, name: each.email }))
  const id = readId(wanted)
  return invitations.find((each) => each.id === id) ?? findByName('invitation', wanted, invitations)
}
