// Alerts of an organization: open ones first, then the history.
import type { AlertSeverity } from '@shipway/api'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Empty, Failed, Loading } from '../../../components/states.tsx'
import { useTopics } from '../../../data/live.ts'
import organizationStyles from '../organization.module.css'
import { OrganizationHead } from '../organization-head.tsx'
import { AlertList } from './alert-list.tsx'
import styles from './alerts.module.css'
import { type AlertFilter, openAlertsQuery, resolvedAlertsQuery } from './alerts-query.ts'

export function AlertsPage() {
  const { organizationId } = useParams({ from: '/signed-in/organizations/$organizationId/alerts' })
  const [filter, setFilter] = useState<AlertFilter>({})
  useTopics([`organization:${organizationId}`])
  return (
    <>
      <OrganizationHead organizationId={organizationId} name="Alerts" />
      <div className={organizationStyles.filter}>
        <select
          className={organizationStyles.select}
          aria-label="Severity"
          value={filter.severity ?? ''}
          onChange={({ target }) => setFilter({ severity: severityOf(target.value) })}
        >
          <option value="">All severities</option>
          <option value="critical">Critical</option>
          <option value="warning">Warnings</option>
        </select>
        <Link className="link small" to="/organizations/$organizationId/settings" params={{ organizationId }}>
          Channels and rules
        </Link>
      </div>
      <Open organizationId={organizationId} filter={filter} />
      <Resolved organizationId={organizationId} filter={filter} />
    </>
  )
}

const severityOf = (value: string): AlertSeverity | undefined =>
  value === 'critical' || value === 'warning' ? value : undefined

type PartProps = { readonly organizationId: number; readonly filter: AlertFilter }

function Open({ organizationId, filter }: PartProps) {
  const { data: alerts, error, refetch } = useQuery(openAlertsQuery(organizationId, filter))
  if (alerts === undefined)
    return error ? (
      <Failed error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading rows={3} what="Loading open alerts" />
    )
  return (
    <section className={styles.open} aria-labelledby="open-alerts">
      <h2 id="open-alerts">Open</h2>
      {alerts.length === 0 ? (
        <Empty title={filter.severity === undefined ? 'Nothing is wrong' : `No open alert is ${filter.severity}`}>
          Servers, disks, certificates, backups, services and watched deployments are checked every half minute.
        </Empty>
      ) : (
        <AlertList organizationId={organizationId} alerts={alerts} />
      )}
    </section>
  )
}

function Resolved({ organizationId, filter }: PartProps) {
  const history = useInfiniteQuery(resolvedAlertsQuery(organizationId, filter))
  const alerts = history.data?.pages.flatMap(({ items }) => items)
  if (alerts === undefined) {
    if (history.error) return <Failed error={history.error} onRetry={() => void history.refetch()} />
    return <Loading rows={5} what="Loading resolved alerts" />
  }
  return (
    <section className="section" aria-labelledby="resolved-alerts">
      <h2 id="resolved-alerts">Resolved</h2>
      {alerts.length === 0 ? (
        <p className="small quiet">Alerts that are over are kept here for 90 days.</p>
      ) : (
        <AlertList organizationId={organizationId} alerts={alerts} />
      )}
      {history.hasNextPage ? (
        <div className="section">
          <Button isBusy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
            Show older alerts
          </Button>
        </div>
      ) : undefined}
    </section>
  )
}
