// Repository step of a project with a connection: the platform keeps the deploy key and the webhook itself.
import type { Project } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { RelativeTime } from '../../../components/time.tsx'
import { repositoryCheckQuery } from '../../../data/checks.ts'
import { missingPermission } from '../../../data/disabled-reasons.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import { readsOverHttps } from '../../../text/connection.ts'
import { LastEvent } from '../last-event.tsx'
import { CheckAgain } from './check-again.tsx'
import { ConnectStep, type StepState } from './connect-step.tsx'
import { Suggestion } from './suggestion.tsx'

export function ConnectedStep({ project }: { readonly project: Project }) {
  const { me } = useCurrentPage()
  const reason = missingPermission('administer', { me, organizationId: project.organization_id })
  const {
    data: check,
    error,
    refetch,
  } = useQuery({ ...repositoryCheckQuery(project.id), enabled: reason === undefined })
  const access = project.repository_access
  const fault = access?.reason ?? (check?.status === 'failed' ? `${check.message}. ${check.fix ?? ''}` : error?.message)
  const state: StepState = fault === undefined ? (check === undefined ? 'waiting' : 'true') : 'failed'
  return (
    <ConnectStep
      title="Repository"
      state={state}
      says={access?.proven_at == null ? SAYS[state] : <ProvenAt state={state} at={access.proven_at} />}
    >
      <p className="small quiet">
        {readsOverHttps(project)
          ? 'The connection reads the repository. GitHub sends its events to the App.'
          : 'The platform adds the deploy key and the webhook at the git host, and repairs them if someone deletes them.'}
      </p>
      {fault === undefined ? undefined : <p className="small bad">{fault}</p>}
      <LastEvent project={project} />
      <div>
        <CheckAgain disabledReason={reason} onCheck={refetch}>
          Check now
        </CheckAgain>
      </div>
      {check?.suggestion == null ? undefined : (
        <Suggestion project={project} text={check.suggestion} onSaved={() => void refetch()} />
      )}
    </ConnectStep>
  )
}

const SAYS: Readonly<Record<StepState, string>> = { true: 'Connected', waiting: 'Checking', failed: 'Needs attention' }

function ProvenAt({ state, at }: { readonly state: StepState; readonly at: string }) {
  return (
    <>
      {SAYS[state]}, last proven <RelativeTime at={at} />
    </>
  )
}
