// Entry point: theme, query cache and router.
import { QueryClientProvider } from '@tanstack/react-query'
import { type AnyRoute, RouterProvider } from '@tanstack/react-router'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Region } from './components/region.tsx'
import { Toasts } from './components/toast.tsx'
import { cache } from './data/cache.ts'
import { router } from './routes.tsx'
import { applyTheme } from './theme/theme.ts'
import './theme/tokens.css'
import './theme/base.css'

applyTheme()
// Loads the page's chunk while the API request for the current user is running.
const pages: Readonly<Record<string, AnyRoute>> = router.routesById
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  const page = pages[routeId]
  if (page) void router.loadRouteChunk(page)
}
const root = document.getElementById('root')
if (root === null) throw new Error('The page has no element with the id root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <RouterProvider router={router} InnerWrap={WithToasts} />
    </QueryClientProvider>
  </StrictMode>,
)

/** Inside the router, because toasts contain links. */
function WithToasts({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {children}
      <Region name="The message">
        <Toasts />
      </Region>
    </>
  )
}
