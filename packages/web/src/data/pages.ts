// Paginated queries.
import { type Delivery, nextCursor } from '@shipway/api'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './keys.ts'

type Cursor = string | undefined
type Page<Item> = { readonly items: readonly Item[]; readonly next: Cursor }

export const deliveriesQuery = (projectId: number) =>
  infiniteQueryOptions({
    queryKey: keys.deliveries(projectId),
    queryFn: async ({ pageParam, signal }): Promise<Page<Delivery>> => {
      const query = { limit: 50, cursor: pageParam }
      const { body, headers } = await client.raw.listDeliveries({ params: { id: projectId }, query, signal })
      return { items: body, next: nextCursor(headers.get('link')) }
    },
    initialPageParam: undefined as Cursor,
    getNextPageParam: ({ next }) => next,
    // No live topic reports deliveries.
    refetchInterval: 5_000,
  })
