// Server step: done when no check of the server failed.
import type { Check, Project, ServerName } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { serverCheckQuery } from '../../../data/checks.ts'
import { missingPermission } from '../../../data/disabled-reasons.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import type { Appearance } from '../../../status/appearance.ts'
import { StatusIcon } from '../../../status/status-icon.tsx'
import { checkLabel } from '../../../text/check.ts'
import { CheckAgain } from './check-again.tsx'
import styles from './connect.module.css'
import { ConnectStep } from './connect-step.tsx'

export function ServerStep({ project, server }: { readonly project: Project; readonly server: ServerName }) {
  const { me } = useCurrentPage()
  const reason = missingPermission('administer', { me, organizationId: project.organization_id })
  const { data: checks, error, refetch } = useQuery({ ...serverCheckQuery(server.id), enabled: reason === undefined })
  const failed = checks?.filter(({ status }) => status === 'failed') ?? []
  const isReady = checks !== undefined && failed.length === 0
  return (
    <ConnectStep
      title={`Server ${server.name}`}
      state={error || failed.length > 0 ? 'failed' : isReady ? 'true' : 'waiting'}
      says={error ? 'Unreachable' : isReady ? 'Ready' : checks === undefined ? 'Checking' : 'Needs attention'}
    >
      <ul className={styles.checks}>
        {checks?.map((check) => (
          <li key={check.name} title={check.message}>
            <StatusIcon {...CHECK_SIGNS[check.status]} size={12} />
            {checkLabel(check)}
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
        <CheckAgain disabledReason={reason} onCheck={refetch}>
          Check again
        </CheckAgain>
      </div>
    </ConnectStep>
  )
}

const CHECK_SIGNS: Readonly<Record<Check['status'], Omit<Appearance, 'label'>>> = {
  ok: { shape: 'tick', tone: 'good' },
  warning: { shape: 'triangle', tone: 'warn' },
  failed: { shape: 'octagon', tone: 'bad' },
}
