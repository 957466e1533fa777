// All users and organizations. No live topic reports them, so they are fetched again while the page is open.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { readAll } from '../../data/queries.ts'

const MOST = 200
const REFRESH_MS = 60_000

export const usersQuery = queryOptions({
  queryKey: keys.users,
  queryFn: ({ signal }) => readAll((cursor) => client.raw.findAccounts({ query: { limit: MOST, cursor }, signal })),
  refetchInterval: REFRESH_MS,
})

export const organizationsQuery = queryOptions({
  queryKey: keys.organizations,
  queryFn: ({ signal }) =>
    readAll((cursor) => client.raw.listAllOrganizations({ query: { limit: MOST, cursor }, signal })),
  refetchInterval: REFRESH_MS,
})
