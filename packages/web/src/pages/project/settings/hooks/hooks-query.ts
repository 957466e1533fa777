// Queries for webhooks and their deliveries.
import { type HookDelivery, nextCursor } from '@shipway/api'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../../../data/client.ts'
import { keys } from '../../../../data/keys.ts'

/** Polled: no event reports changes. */
const EVERY_MS = 5_000

export const hooksQuery = (projectId: number) =>
  queryOptions({
    queryKey: keys.hooks(projectId),
    queryFn: ({ signal }) => client.listHooks({ params: { id: projectId }, signal }),
    refetchInterval: EVERY_MS,
  })

type Cursor = string | undefined
type Page = { readonly items: readonly HookDelivery[]; readonly next: Cursor }

export const hookDeliveriesQuery = (hookId: number) =>
  infiniteQueryOptions({
    queryKey: keys.hookDeliveries(hookId),
    queryFn: async ({ pageParam, signal }): Promise<Page> => {
      const query = { limit: 20, cursor: pageParam }
      const { body, headers } = await client.raw.listHookDeliveries({ params: { id: hookId }, query, signal })
      return { items: body, next: nextCursor(headers.get('link')) }
    },
    initialPageParam: undefined as Cursor,
    getNextPageParam: ({ next }) => next,
    refetchInterval: EVERY_MS,
  })
