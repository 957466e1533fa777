// Queries for alerts of an organization.
import { type Alert, type AlertSeverity, nextCursor } from '@shipway/api'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../../data/client.ts'
import { keys } from '../../../data/keys.ts'

export type AlertFilter = { readonly severity?: AlertSeverity | undefined }

type Cursor = string | undefined
type Page = { readonly items: readonly Alert[]; readonly next: Cursor }

/** Open alerts fit on one page: each rule has one per subject. */
export const openAlertsQuery = (organizationId: number, filter: AlertFilter) =>
  queryOptions({
    queryKey: [...keys.alerts(organizationId), 'open', filter],
    queryFn: ({ signal }) =>
      client.listAlerts({ params: { id: organizationId }, query: { ...filter, state: 'open', limit: 200 }, signal }),
    staleTime: 0,
  })

export const resolvedAlertsQuery = (organizationId: number, filter: AlertFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.alerts(organizationId), 'resolved', filter],
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const query = { ...filter, state: 'resolved' as const, limit: 50, cursor: pageParam }
      const { body, headers } = await client.raw.listAlerts({ params: { id: organizationId }, query, signal })
      return { items: body, next: nextCursor(headers.get('link')) }
    },
    initialPageParam: undefined as Cursor,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  })
