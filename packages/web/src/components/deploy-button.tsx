// Deploy: the same button wherever an environment appears. It locks while a deployment is queued or running, whoever started it.
import type { Environment } from '@shipway/api'
import { Link, useNavigate } from '@tanstack/react-router'
import { client } from '../data/client.ts'
import { deployLock } from '../data/disabled-reasons.ts'
import { useHere } from '../layout/current-page.ts'
import { Button } from './button.tsx'
import { tell } from './toast.tsx'
import { useSending } from './use-submission.ts'

type DeployProps = {
  readonly environment: Environment
  readonly look?: 'plain' | 'primary'
  readonly isSmall?: boolean
  /** Whether to go and look at it. In a list one stays. */
  readonly follows?: boolean
}

export function DeployButton({ environment, look = 'plain', isSmall = false, follows = false }: DeployProps) {
  const { me, organization } = useHere()
  const navigate = useNavigate()
  const sending = useSending()
  const deploy = async (): Promise<void> => {
    const task = await client.startDeployment({ params: { id: environment.id } })
    const params = { environmentId: environment.id, taskId: task.id }
    if (follows) await navigate({ to: '/environments/$environmentId/tasks/$taskId', params })
    else {
      tell(
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
      look={look}
      isSmall={isSmall}
      isBusy={sending.isBusy}
      lockedBecause={deployLock({ me, organizationId: organization?.id }, environment)}
      aria-label={isSmall ? `Deploy ${environment.name}` : undefined}
      onClick={() =>
        void sending.send(async () => {
          try {
            await deploy()
          } catch (error) {
            tell(`${environment.name}: ${error instanceof Error ? error.message : 'could not be deployed'}`, {
              isBad: true,
            })
          }
        })
      }
    >
      Deploy
    </Button>
  )
}
