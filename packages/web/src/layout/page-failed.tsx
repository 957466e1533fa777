// Pages for unknown addresses and failed loads.
import { ApiError } from '@shipway/api'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { DocumentTitle } from '../components/document-title.tsx'
import { Empty, Failed } from '../components/states.tsx'

export function PageFailed({ error, reset }: ErrorComponentProps) {
  if (error instanceof ApiError && error.status === 404) return <PageNotFound />
  return <Failed error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
}

export function PageNotFound() {
  return (
    <>
      <DocumentTitle>Not found</DocumentTitle>
      <h1 className="visually-hidden">Not found</h1>
      <Empty
        title="Page not found"
        action={
          <Link to="/" className="link small">
            Go to projects
          </Link>
        }
      >
        It was deleted, the address is wrong, or your account has no access to it.
      </Empty>
    </>
  )
}
