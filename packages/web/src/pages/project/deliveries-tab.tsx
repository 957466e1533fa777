// Webhook deliveries from the git host and their outcome.
import type { Delivery } from '@shipway/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { GitBranch } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { BranchLink, PullRequestLink } from '../../components/git-links.tsx'
import list from '../../components/list.module.css'
import { Empty, Failed, Loading } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { deliveriesQuery } from '../../data/queries.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import type { Appearance } from '../../status/appearance.ts'
import { NamedStatusIcon } from '../../status/status-icon.tsx'
import { pullRequestUrl } from '../../text/repository-links.ts'
import styles from './deliveries.module.css'

export function DeliveriesTab() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId/deliveries' })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    deliveriesQuery(projectId),
  )
  if (data === undefined) {
    return error ? <Failed error={error} onRetry={() => void refetch()} /> : <Loading what="Loading deliveries" />
  }
  const deliveries = data.pages.flatMap(({ items }) => items)
  if (deliveries.length === 0) {
    return (
      <Empty
        title="No deliveries yet"
        action={
          <Link className="link small" to="/projects/$projectId/connect" params={{ projectId }}>
            Connect the repository
          </Link>
        }
      >
        The git host reports pushes and pull requests through the webhook. Connect the repository to receive them.
      </Empty>
    )
  }
  return (
    <>
      <p className="quiet small">Latest webhook deliveries from the git host.</p>
      <ul className={`${list.list} ${styles.list}`}>
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <Row delivery={delivery} />
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <div className="section">
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older deliveries
          </Button>
        </div>
      ) : undefined}
    </>
  )
}

function Row({ delivery }: { readonly delivery: Delivery }) {
  const { environment, reason, detail, hint } = delivery
  return (
    <div className={list.line}>
      <NamedStatusIcon appearance={VERDICTS[delivery.verdict]} />
      <div>
        <div className="strong">{VERDICTS[delivery.verdict].label}</div>
        <div className="cut small quiet" title={delivery.delivery_id}>
          {delivery.event}
        </div>
      </div>
      <div className={styles.rest}>
        <About delivery={delivery} />
      </div>
      <div className={`${styles.rest} small`}>
        {environment ? (
          <Link className="link" to="/environments/$environmentId" params={{ environmentId: environment.id }}>
            {environment.name}
          </Link>
        ) : undefined}
        <div className="quiet">{detail ?? reason?.replaceAll('_', ' ')}</div>
        {hint === null ? undefined : <div className="warn">{hint}</div>}
      </div>
      <div className={`${styles.when} small quiet`}>
        <RelativeTime at={delivery.received_at} />
      </div>
    </div>
  )
}

function About({ delivery: { pull_request, branch } }: { readonly delivery: Delivery }) {
  const { project } = useCurrentPage()
  const url = project && pull_request !== null ? pullRequestUrl(project, pull_request) : undefined
  return (
    <>
      {pull_request === null ? undefined : (
        <div>
          <PullRequestLink request={{ number: pull_request, url: url ?? null }}>
            Pull request #{pull_request}
          </PullRequestLink>
        </div>
      )}
      {branch === null ? undefined : (
        <div className="row small quiet">
          <GitBranch size={13} strokeWidth={1.5} aria-hidden="true" />
          <span className="cut" title={branch}>
            {/* The branch of a pull request may be in a fork. */}
            <BranchLink project={pull_request === null ? project : undefined} branch={branch} />
          </span>
        </div>
      )}
    </>
  )
}

const VERDICTS: Readonly<Record<Delivery['verdict'], Appearance>> = {
  accepted: { shape: 'ticked', label: 'Accepted', tone: 'quiet' },
  stored: { shape: 'dotted', label: 'Queued', tone: 'quiet' },
  duplicate: { shape: 'slashed', label: 'Duplicate', tone: 'quiet' },
  ignored: { shape: 'dash', label: 'Ignored', tone: 'quiet' },
  failed: { shape: 'octagon', label: 'Failed', tone: 'bad' },
  refused: { shape: 'octagon', label: 'Refused', tone: 'bad' },
}
