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
export type Told<Data> = {
  readonly topic: LiveTopic
  readonly key: QueryKey
  readonly read: (signal: AbortSignal) => Promise<Data>
}

/** Its data as they are by now. */
export function useTold<Data>(told: Told<Data>, { isAsked = true } = {}): UseQueryResult<Data> {
  useTopics(isAsked ? [told.topic] : [])
  return useQuery({
    queryKey: told.key,
    queryFn: ({ signal }) => told.read(signal),
    meta: { topic: told.topic },
    enabled: isAsked,
  })
}
