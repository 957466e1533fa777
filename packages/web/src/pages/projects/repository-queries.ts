// Repositories that a connection finds, and what one of them holds.
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'

export const repositoriesQuery = (connectionId: number, search: string) =>
  queryOptions({
    queryKey: [...keys.repositories(connectionId), search],
    queryFn: ({ signal }) =>
      client.listConnectionRepositories({ params: { id: connectionId }, query: { search }, signal }),
    // The git host is asked each time.
    staleTime: 60_000,
    retry: false,
  })

/** The branch decides when something new is read: `Look again` reads it once more. */
export const readingQuery = (connectionId: number, repository: string, branch: string) =>
  queryOptions({
    queryKey: [...keys.repositories(connectionId), 'reading', repository, branch],
    queryFn: ({ signal }) =>
      client.readConnectionRepository({ params: { id: connectionId }, query: { repository, branch }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
