// Queries that stay up to date: each names the live topic that reports its changes.
import type { LiveTopic } from '@shipway/api'
import { type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useTopics } from './live.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { topic?: LiveTopic }
  }
}

/** Cache key, fetch function, and the topic whose events update the data. */
export type LiveQuery<Data> = {
  readonly topic: LiveTopic
  readonly key: QueryKey
  readonly read: (signal: AbortSignal) => Promise<Data>
}

/** Subscribes to the topic while the component is mounted. */
export function useLiveQuery<Data>(query: LiveQuery<Data>, { isEnabled = true } = {}): UseQueryResult<Data> {
  useTopics(isEnabled ? [query.topic] : [])
  return useQuery({
    queryKey: query.key,
    queryFn: ({ signal }) => query.read(signal),
    meta: { topic: query.topic },
    enabled: isEnabled,
  })
}
