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
        title="There is nothing here"
        action={
          <Link to="/" className="link small">
            Go to the projects
          </Link>
        }
      >
        It was removed, the address has a fault, or you are signed in as somebody who may not see it.
      </Empty>
    </>
  )
}
