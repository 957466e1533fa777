// The Deploy button, the same wherever an environment appears. Disabled while a deployment is queued or running.
import type { Environment } from '@shipway/api'
import { Link, useNavigate } from '@tanstack/react-router'
import { client } from '../data/client.ts'
import { whyNotDeploy } from '../data/disabled-reasons.ts'
import { useCurrentPage } from '../layout/current-page.ts'
import { Button } from './button.tsx'
import { showToast } from './toast.tsx'
import { useSubmission } from './use-submission.ts'

type DeployProps = {
  readonly environment: Environment
  readonly variant?: 'plain' | 'primary'
  readonly isSmall?: boolean
  /** Opens the task's page after the start. Lists stay where they are. */
  readonly follows?: boolean
}

export function DeployButton({ environment, variant = 'plain', isSmall = false, follows = false }: DeployProps) {
  const { me, organization } = useCurrentPage()
  const navigate = useNavigate()
  const submission = useSubmission()
  const deploy = async (): Promise<void> => {
    const task = await client.startDeployment({ params: { id: environment.id } })
    const params = { environmentId: environment.id, taskId: task.id }
    if (follows) await navigate({ to: '/environments/$environmentId/tasks/$taskId', params })
    else {
      showToast(
        <>
          <b>{environment.name}</b> is queued.{' '}
          <Link className="link" to="/environments/$environmentId/tasks/$taskId" params={params}>
            Deployment #{task.id}
          </Link>
        </>,
      )
    }
  }
  return (
    <Button
      variant={variant}
      isSmall={isSmall}
      isBusy={submission.isBusy}
      disabledReason={whyNotDeploy({ me, organizationId: organization?.id }, environment)}
      aria-label={isSmall ? `Deploy ${environment.name}` : undefined}
      onClick={() =>
        void submission.submit(async () => {
          try {
            await deploy()
          } catch (error) {
            showToast(
              `${environment.name}: ${error instanceof Error ? error.message : 'the deployment could not be started'}`,
              {
                isError: true,
              },
            )
          }
        })
      }
    >
      Deploy
    </Button>
  )
}
