// A query that names the topic which tells of it: whoever shows it is kept up to date for as long as it is shown.
import type { LiveTopic } from '@shipway/api'
import { type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useTopics } from './live.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { topic?: LiveTopic }
  }
}

/** Something to ask of the platform: where the answer lies in the cache, and what tells when it changes. */
export type LiveQuery<Data> = {
  readonly topic: LiveTopic
  readonly key: QueryKey
  readonly read: (signal: AbortSignal) => Promise<Data>
}

/** Its data as they are by now. */
export function useLiveQuery<Data>(query: LiveQuery<Data>, { isEnabled = true } = {}): UseQueryResult<Data> {
  useTopics(isEnabled ? [query.topic] : [])
  return useQuery({
    queryKey: query.key,
    queryFn: ({ signal }) => query.read(signal),
    meta: { topic: query.topic },
    enabled: isEnabled,
  })
}
