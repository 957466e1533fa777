// A server of the project: the tick comes when its last check found nothing that hinders.
import type { Check, Project, ServerName } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../components/button.tsx'
import { serverCheckQuery } from '../../../data/checks.ts'
import { needs } from '../../../data/disabled-reasons.ts'
import { useHere } from '../../../layout/current-page.ts'
import type { Shown } from '../../../status/appearance.ts'
import { Sign } from '../../../status/status-icon.tsx'
import styles from './connect.module.css'
import { Tick } from './connect-step.tsx'

export function ServerTick({ project, server }: { readonly project: Project; readonly server: ServerName }) {
  const { me } = useHere()
  const lock = needs('admin', { me, organizationId: project.organization_id })
  const {
    data: checks,
    error,
    isFetching,
    refetch,
  } = useQuery({ ...serverCheckQuery(server.id), enabled: lock === undefined })
  const failed = checks?.filter(({ status }) => status === 'failed') ?? []
  const isReady = checks !== undefined && failed.length === 0
  return (
    <Tick
      title={`Server ${server.name}`}
      state={error || failed.length > 0 ? 'failed' : isReady ? 'true' : 'waiting'}
      says={error ? 'Not reached' : isReady ? 'Ready' : checks === undefined ? 'Being checked' : 'Needs you'}
    >
      <ul className={styles.checks}>
        {checks?.map((check) => (
          <li key={check.name} title={check.message}>
            <Sign {...CHECK_SIGNS[check.status]} size={12} />
            {check.name}
          </li>
        ))}
      </ul>
      {failed.map(({ name, message, fix }) => (
        <p key={name} className="small">
          <span className="bad">{message}</span> {fix}
        </p>
      ))}
      {error ? <p className="small bad">{error.message}</p> : undefined}
      <div>
        <Button isSmall isBusy={isFetching} lockedBecause={lock} onClick={() => void refetch()}>
          Check again
        </Button>
      </div>
    </Tick>
  )
}

const CHECK_SIGNS: Readonly<Record<Check['status'], Omit<Shown, 'word'>>> = {
  ok: { silhouette: 'tick', tone: 'good' },
  warning: { silhouette: 'triangle', tone: 'warn' },
  failed: { silhouette: 'octagon', tone: 'bad' },
}
