// Open invitations of an organization. Not live: callers invalidate it after changes.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'

export const invitationsQuery = (organizationId: number) =>
  queryOptions({
    queryKey: keys.invitations(organizationId),
    queryFn: ({ signal }) => client.listInvitations({ params: { id: organizationId }, query: { limit: 100 }, signal }),
  })
