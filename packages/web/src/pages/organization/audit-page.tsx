// Audit log of an organization.
import type { AuditEvent, AuditFilter } from '@shipway/api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import list from '../../components/list.module.css'
import { Empty, Failed, Loading, Notice } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { missingPermission } from '../../data/disabled-reasons.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { describeAuditEvent, matchesWords } from '../../text/audit.ts'
import { AuditFilters } from './audit-filters.tsx'
import { auditQuery } from './audit-query.ts'
import styles from './organization.module.css'
import { OrganizationHead } from './organization-head.tsx'

export function AuditPage() {
  const { organizationId } = useParams({ from: '/signed-in/organizations/$organizationId/audit' })
  const { me } = useCurrentPage()
  const disabledReason = missingPermission('administer', { me, organizationId })
  return (
    <>
      <OrganizationHead organizationId={organizationId} name="Audit" />
      {disabledReason === undefined ? (
        <Log organizationId={organizationId} />
      ) : (
        <Notice tone="calm">Only administrators of the organization can read the audit log.</Notice>
      )}
    </>
  )
}

function Log({ organizationId }: { readonly organizationId: number }) {
  const [query, setQuery] = useState<AuditFilter>({})
  return (
    <>
      <AuditFilters organizationId={organizationId} filter={query} onChange={setQuery} />
      <Entries organizationId={organizationId} query={query} />
    </>
  )
}

function Entries({ organizationId, query }: { readonly organizationId: number; readonly query: AuditFilter }) {
  const [filter, setFilter] = useState('')
  const log = useInfiniteQuery(auditQuery(organizationId, query))
  if (log.data === undefined) {
    return log.error ? (
      <Failed error={log.error} onRetry={() => void log.refetch()} />
    ) : (
      <Loading rows={8} what="Loading audit log" />
    )
  }
  const events = log.data.pages.flatMap((page) => page.events)
  const shown = events.filter((event) => matchesWords(event, filter))
  if (events.length === 0 && Object.values(query).some((value) => value !== undefined)) {
    return <p className="small quiet">No entries match these filters.</p>
  }
  if (events.length === 0) return <Empty title="No entries yet">Changes in this organization are listed here.</Empty>
  return (
    <>
      <div className={styles.filter}>
        <input
          type="search"
          className={styles.search}
          aria-label="Filter"
          placeholder="Filter: a name, an action, an address"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <span className="small quiet" role="status">
          {filter.trim() === '' ? `Latest ${events.length}` : `${shown.length} of the latest ${events.length}`}
        </span>
      </div>
      {shown.length === 0 ? (
        <p className="small quiet">No entry matches “{filter.trim()}”.</p>
      ) : (
        <ul className={`${list.list} ${list.still} ${styles.audit}`}>
          {shown.map((event) => (
            <Row key={event.id} event={event} />
          ))}
        </ul>
      )}
      {log.hasNextPage ? (
        <div className="section">
          <Button isBusy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Show older entries
          </Button>
        </div>
      ) : undefined}
    </>
  )
}

function Row({ event }: { readonly event: AuditEvent }) {
  const { actor, fields, address, at } = event
  return (
    <li>
      <div className={list.line}>
        <div className={styles.done}>
          <span className="strong">{actor?.name ?? 'The platform'}</span> {describeAuditEvent(event)}{' '}
          <Target event={event} />
          {fields.length === 0 ? undefined : <span className="quiet">: {fields.join(', ')}</span>}
        </div>
        <div className="small quiet">
          <RelativeTime at={at} />
        </div>
        <div className="small faint cut" title={address ?? undefined}>
          {address ?? ''}
        </div>
      </div>
    </li>
  )
}

/** Links to the record's page if it has one. Omitted for members who join or leave: the actor is the target. */
function Target({ event: { target, actor } }: { readonly event: AuditEvent }) {
  if (target.kind === 'member' && target.id === actor?.id) return null
  if (target.id !== null && target.kind === 'environment') {
    return (
      <Link className="link" to="/environments/$environmentId" params={{ environmentId: target.id }}>
        {target.name}
      </Link>
    )
  }
  if (target.id !== null && target.kind === 'project') {
    return (
      <Link className="link" to="/projects/$projectId" params={{ projectId: target.id }}>
        {target.name}
      </Link>
    )
  }
  return <span className="strong">{target.name}</span>
}
