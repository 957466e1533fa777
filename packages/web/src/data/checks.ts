// Checks of repositories and servers. They take seconds, so a passed one is kept; a failed one is repeated while its page is visible,
// because what it waits for is done elsewhere: on the git host, on the server.
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

const once = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const
const AGAIN_MS = 5_000

export const repositoryCheckQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['repository-check', projectId],
    queryFn: ({ signal }) => client.checkRepository({ params: { id: projectId }, signal }),
    ...once,
    refetchInterval: ({ state: { data, status } }) =>
      status === 'error' || data?.status === 'failed' ? AGAIN_MS : false,
  })

export const serverCheckQuery = (serverId: number) =>
  queryOptions({
    queryKey: ['server-check', serverId],
    queryFn: async ({ signal }) => (await client.checkServer({ params: { id: serverId }, signal })).checks,
    ...once,
    refetchInterval: ({ state: { data, status } }) =>
      status === 'error' || data?.some((check) => check.status === 'failed') ? AGAIN_MS : false,
  })
