// Members of an organization: by id, e-mail address or name.
import type { Client, Member } from '@shipway/api'
import { findByName, readId } from './find-by-name.ts'
import { PAGE_SIZE, readAllPages } from './read-all-pages.ts'

export const listMembers = (client: Client, organizationId: number): Promise<Member[]> =>
  readAllPages((cursor) =>
    client.raw.listMembers({ params: { id: organizationId }, query: { limit: PAGE_SIZE, cursor } }),
  )

export async function findMember(client: Client, organizationId: number, wanted: string): Promise<Member> {
  const members = await listMembers(client, organizationId)
  const id = readId(wanted)
  const same = members.find(({ user }) => user.id === id || user.email.toLowerCase() === wanted.toLowerCase())
  if (same) return same
  const named = members.map((member) => ({ id: member.user.id, name: member.user.name, member }))
  return findByName('member', wanted, named).member
}
