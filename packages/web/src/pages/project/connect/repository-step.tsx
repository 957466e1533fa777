// Repository step: done when the platform can read the repository. Suggests a .service.yml if there is none.
import type { Project, RepositoryCheck } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Snippet } from '../../../components/snippet.tsx'
import { repositoryCheckQuery } from '../../../data/checks.ts'
import { missingPermission } from '../../../data/disabled-reasons.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import { KEY_STEPS } from '../../../text/host.ts'
import { shortSha } from '../../../text/sha.ts'
import { CheckAgain } from './check-again.tsx'
import { ConnectStep, type StepState } from './connect-step.tsx'
import { Suggestion } from './suggestion.tsx'

export function RepositoryStep({ project }: { readonly project: Project }) {
  const { me } = useCurrentPage()
  const reason = missingPermission('administer', { me, organizationId: project.organization_id })
  const {
    data: check,
    error,
    refetch,
  } = useQuery({
    ...repositoryCheckQuery(project.id),
    enabled: reason === undefined,
  })
  return (
    <ConnectStep title="Repository key" state={stateOf(check, error)} says={saysOf(check, error)}>
      <p className="small quiet">{KEY_STEPS[project.repository_host]}</p>
      <Snippet label="the repository key" text={project.repository_key} />
      {check?.status === 'failed' ? (
        <p className="small bad">
          {check.message} {check.fix}
        </p>
      ) : undefined}
      {error ? <p className="small bad">{error.message}</p> : undefined}
      <div>
        <CheckAgain disabledReason={reason} onCheck={refetch}>
          Try again
        </CheckAgain>
      </div>
      {check?.suggestion == null ? undefined : (
        <Suggestion project={project} text={check.suggestion} onSaved={() => void refetch()} />
      )}
    </ConnectStep>
  )
}

function stateOf(check: RepositoryCheck | undefined, error: Error | null): StepState {
  if (error !== null || check?.status === 'failed') return 'failed'
  return check === undefined ? 'waiting' : 'true'
}

function saysOf(check: RepositoryCheck | undefined, error: Error | null): string {
  if (error !== null) return 'Check failed'
  if (check === undefined) return 'Checking'
  if (check.status === 'failed') return 'Cannot read the repository'
  const head = check.head === null ? '' : `, newest commit ${shortSha(check.head.sha)}`
  return `${check.branches} ${check.branches === 1 ? 'branch' : 'branches'}${head}`
}
