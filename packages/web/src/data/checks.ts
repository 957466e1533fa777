// Checks of repositories and servers, run on request only because they take seconds.
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

const once = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const

export const repositoryCheckQuery = (projectId: number) =>
  queryOptions({
    queryKey: ['repository-check', projectId],
    queryFn: ({ signal }) => client.checkRepository({ params: { id: projectId }, signal }),
    ...once,
  })

export const serverCheckQuery = (serverId: number) =>
  queryOptions({
    queryKey: ['server-check', serverId],
    queryFn: async ({ signal }) => (await client.checkServer({ params: { id: serverId }, signal })).checks,
    ...once,
  })
