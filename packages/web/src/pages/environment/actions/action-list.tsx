// Actions of an environment with their Run buttons.
import type { Action, Environment, Task } from '@shipway/api'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import { useNavigate } from '@tanstack/react-router'
import { Button } from '../../../components/button.tsx'
import list from '../../../components/list.module.css'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { whyNotRun } from '../../../data/environment-reasons.ts'
import { useCurrentPage } from '../../../layout/current-page.ts'
import styles from './actions.module.css'
import { ScheduleLines } from './schedule-lines.tsx'

type ListProps = {
  readonly environment: Environment
  readonly actions: readonly Action[]
  /** Latest runs of all actions. */
  readonly runs: readonly Task[]
}

export function ActionList({ environment, actions, runs }: ListProps) {
  return (
    <section aria-labelledby="actions">
      <h2 id="actions">Actions</h2>
      <ul className={`${list.list} ${list.still} ${styles.actions}`}>
        {actions.map((action) => (
          <li key={action.name}>
            <div className={`${list.line} ${styles.action}`}>
              <div>
                <div className="cut" title={action.name}>
                  {action.name}
                </div>
                <div className="tiny faint">{describe(action, environment)}</div>
                <ScheduleLines environmentId={environment.id} action={action} />
              </div>
              <RunButton environment={environment} action={action} runs={runs} />
              {action.disabled_reason === null ? undefined : (
                <p className={`small quiet ${styles.reason}`}>{action.disabled_reason}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function describe(
  { service, artifact_paths: paths, disabled_reason: reason }: Action,
  { effective_recipe }: Environment,
): string {
  if (reason !== null) return 'Disabled'
  const inContainer = service === null ? 'In the main service' : `In ${service}`
  const where = runsContainers[effective_recipe] ? inContainer : 'On the server'
  return paths.length === 0 ? where : `${where} · leaves ${paths.join(', ')}`
}

type RunProps = { readonly environment: Environment; readonly action: Action; readonly runs: readonly Task[] }

function RunButton({ environment, action, runs }: RunProps) {
  const { me, organization, project } = useCurrentPage()
  const navigate = useNavigate()
  const submission = useSubmission()
  const disabledReason = whyNotRun({ me, organizationId: organization?.id, environment, project }, action, runs)
  const run = async (): Promise<void> => {
    try {
      const task = await client.runAction({ params: { id: environment.id, name: action.name } })
      const params = { environmentId: environment.id, taskId: task.id }
      await navigate({ to: '/environments/$environmentId/tasks/$taskId', params })
    } catch (error) {
      showToast(`${action.name}: ${error instanceof Error ? error.message : 'the action could not be started'}`, {
        isError: true,
      })
    }
  }
  return (
    <Button
      isSmall
      isBusy={submission.isBusy}
      disabledReason={disabledReason}
      aria-label={`Run ${action.name}`}
      onClick={() => void submission.submit(run)}
    >
      Run
    </Button>
  )
}
