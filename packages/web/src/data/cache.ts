// The query cache: the only copy of the data. Queries fill it, live events update it.
import { ApiError } from '@shipway/api'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { keys } from './keys.ts'

export const cache = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => leaveWhenSignedOut(error) }),
  defaultOptions: {
    queries: {
      // The live channel updates visible data; anything else is fetched again when it becomes visible.
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < 2,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})

/** Redirects to the sign-in page when the session has ended, and back here afterwards. */
function leaveWhenSignedOut(error: Error): void {
  const wasSignedIn = cache.getQueryData(keys.me) !== undefined
  if (!wasSignedIn || !(error instanceof ApiError) || error.status !== 401) return
  const here = `${location.pathname}${location.search}${location.hash}`
  location.assign(`/sign-in?next=${encodeURIComponent(here)}`)
}
