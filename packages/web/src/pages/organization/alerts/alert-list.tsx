// A list of alerts: what is wrong, since when, and a button to silence the environment.
import type { Alert } from '@shipway/api'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { SilenceEnvironment } from '../../../components/environment/silence-environment.tsx'
import list from '../../../components/list.module.css'
import { RelativeTime } from '../../../components/time.tsx'
import { missingPermission } from '../../../data/disabled-reasons.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import { NamedStatusIcon } from '../../../status/status-icon.tsx'
import { alertAppearance, describeRule } from '../../../text/alert.ts'
import { formatDuration } from '../../../text/duration.ts'
import styles from './alerts.module.css'

type ListProps = { readonly organizationId: number; readonly alerts: readonly Alert[] }

export function AlertList({ organizationId, alerts }: ListProps) {
  const { me } = useCurrentPage()
  const disabledReason = missingPermission('deploy', { me, organizationId })
  const [silenced, setSilenced] = useState<Alert>()
  return (
    <>
      <ul className={`${list.list} ${list.still} ${styles.alerts}`}>
        {alerts.map((alert) => (
          <li key={alert.id}>
            <Row alert={alert} disabledReason={disabledReason} onSilence={() => setSilenced(alert)} />
          </li>
        ))}
      </ul>
      <Dialog
        title={`Silence alerts of ${silenced?.subject ?? ''}`}
        isOpen={silenced !== undefined}
        onClose={() => setSilenced(undefined)}
      >
        <SilenceEnvironment environmentId={silenced?.environment_id ?? 0} onClose={() => setSilenced(undefined)} />
      </Dialog>
    </>
  )
}

type RowProps = {
  readonly alert: Alert
  readonly disabledReason: string | undefined
  readonly onSilence: () => void
}

function Row({ alert, disabledReason, onSilence }: RowProps) {
  const { rule, subject, message, opened_at, resolved_at, environment_id, is_silenced } = alert
  return (
    <div className={list.line}>
      <NamedStatusIcon appearance={alertAppearance(alert)} />
      <div className={styles.what}>
        <div>
          <span className="strong">{describeRule(rule)}</span> <PageLink page={alert.page}>{subject}</PageLink>
        </div>
        <div className="small quiet">{message}</div>
        {is_silenced ? <div className="small quiet">Silenced: no channel got it</div> : undefined}
      </div>
      <div className={`small quiet ${styles.when}`}>
        <RelativeTime at={opened_at} />
        {resolved_at === null ? undefined : (
          <div>lasted {formatDuration(Date.parse(resolved_at) - Date.parse(opened_at))}</div>
        )}
      </div>
      {environment_id !== null && resolved_at === null && !is_silenced ? (
        <span className={styles.silence}>
          <Button isSmall aria-label={`Silence ${subject}`} disabledReason={disabledReason} onClick={onSilence}>
            Silence…
          </Button>
        </span>
      ) : undefined}
    </div>
  )
}

/** The server names the page, so the router gets its path as it is. */
function PageLink({ page, children }: { readonly page: string; readonly children: string }) {
  const router = useRouter()
  return (
    <a
      className="link"
      href={page}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        router.history.push(page)
      }}
    >
      {children}
    </a>
  )
}
