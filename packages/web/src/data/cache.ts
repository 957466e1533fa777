// The one copy of what the platform said: queries fill it, live messages bring it up to date.
import { ApiError } from '@shipway/api'
import { QueryClient } from '@tanstack/react-query'

export const cache = new QueryClient({
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
