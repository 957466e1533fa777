// The whole history of an environment, a page at a time, as far as somebody wants to see it.
import type { TaskKind, TaskStatus } from '@shipway/api'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'

export type HistoryFilter = { readonly status?: TaskStatus; readonly kind?: TaskKind }

const PAGE = 50

export const historyQuery = (environmentId: number, { status, kind }: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.tasks(environmentId), 'history', { status, kind }],
    queryFn: ({ signal, pageParam }) => {
      const query = { limit: PAGE, before: pageParam, status, kind }
      return client.listTasks({ params: { id: environmentId }, query, signal })
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    meta: { topic: `environment:${environmentId}` },
  })
