// Open alerts of an environment, and whether they are silenced, above the tabs.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Notice } from '../../components/states.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useTopics } from '../../data/live.ts'
import { silenceQuery } from '../../data/silence-query.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { formatExact } from '../../text/ago.ts'
import { describeRule } from '../../text/alert.ts'
import styles from './environment.module.css'

export function AlertsNotice({ environmentId }: { readonly environmentId: number }) {
  const organizationId = useCurrentPage().organization?.id ?? 0
  useTopics(organizationId === 0 ? [] : [`organization:${organizationId}`])
  const { data: silence } = useQuery(silenceQuery(environmentId))
  const { data: alerts = [] } = useQuery({
    queryKey: [...keys.alerts(organizationId), 'environment', environmentId],
    queryFn: ({ signal }) =>
      client.listAlerts({
        params: { id: organizationId },
        query: { state: 'open', environment_id: environmentId },
        signal,
      }),
    enabled: organizationId !== 0,
  })
  // A failed deployment has a notice of its own.
  const shown = alerts.filter(({ rule }) => rule !== 'deployment_failed')
  if (shown.length === 0 && !silence?.silenced) return null
  return (
    <div className={styles.notices}>
      {shown.length === 0 ? undefined : (
        <Notice>
          <b>{[...new Set(shown.map(({ rule }) => describeRule(rule)))].join(', ')}.</b> {shown[0]?.message}{' '}
          <Link className="link" to="/organizations/$organizationId/alerts" params={{ organizationId }}>
            Open alerts
          </Link>
        </Notice>
      )}
      {silence?.silenced ? (
        <Notice tone="calm">
          Alerts of this environment are silenced{' '}
          {silence.until === null ? 'until they are turned on again' : `until ${formatExact(new Date(silence.until))}`}.
          Turn them on in the menu.
        </Notice>
      ) : undefined}
    </div>
  )
}
