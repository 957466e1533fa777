// The one copy of what the platform said: queries fill it, live messages bring it up to date.
import { ApiError } from '@shipway/api'
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { keys } from './keys.ts'

export const cache = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => leaveWhenSignedOut(error) }),
  defaultOptions: {
    queries: {
      // What is on the page is kept up to date by the live channel. What was left is asked for again when somebody comes back to it.
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < 2,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})

/** Whoever was signed in and is no more signs in again, and comes back to this page. */
function leaveWhenSignedOut(error: Error): void {
  const wasSignedIn = cache.getQueryData(keys.me) !== undefined
  if (!wasSignedIn || !(error instanceof ApiError) || error.status !== 401) return
  const here = `${location.pathname}${location.search}${location.hash}`
  location.assign(`/sign-in?next=${encodeURIComponent(here)}`)
}
