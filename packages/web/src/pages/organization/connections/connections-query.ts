// Connections of an organization, for administrators.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../data/client.ts'
import { keys } from '../../../data/keys.ts'

export const connectionsQuery = (organizationId: number) =>
  queryOptions({
    queryKey: keys.connections(organizationId),
    queryFn: ({ signal }) => client.listConnections({ params: { id: organizationId }, signal }),
  })
