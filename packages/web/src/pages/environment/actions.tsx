// What can be run in an environment on demand: the actions that its last deployment brought along.
import type { Action, Environment } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { FormFault } from '../../components/form.tsx'
import { useSending } from '../../components/use-sending.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { useHere } from '../../frame/here.ts'
import { startLock } from './locks.ts'
import styles from './overview.module.css'

export function Actions({ environment }: { readonly environment: Environment }) {
  const { me, organization, project } = useHere()
  const { data: actions = [] } = useQuery({
    // Asked for again with the tasks: each deployment may bring others.
    queryKey: [...keys.tasks(environment.id), 'actions'],
    queryFn: ({ signal }) => client.listActions({ params: { id: environment.id }, signal }),
  })
  if (actions.length === 0) return null
  const lock = startLock({ me, organizationId: organization?.id, environment, project })
  return (
    <section aria-labelledby="actions">
      <h2 id="actions">Actions</h2>
      <ul className={styles.actions}>
        {actions.map((action) => (
          <li key={action.name}>
            <OneAction environmentId={environment.id} action={action} lockedBecause={action.disabled_reason ?? lock} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type OneActionProps = {
  readonly environmentId: number
  readonly action: Action
  readonly lockedBecause: string | undefined
}

function OneAction({ environmentId, action: { name, service, artifact_paths }, lockedBecause }: OneActionProps) {
  const sending = useSending()
  const navigate = useNavigate()
  const run = async (): Promise<void> => {
    const task = await client.runAction({ params: { id: environmentId, name } })
    await navigate({ to: '/environments/$environmentId/tasks/$taskId', params: { environmentId, taskId: task.id } })
  }
  const about = [service && `in ${service}`, artifact_paths.length > 0 && 'leaves files'].filter(Boolean).join(', ')
  return (
    <>
      <div className="row between">
        <span className="cut" title={name}>
          <code>{name}</code> <span className="tiny faint">{about}</span>
        </span>
        <Button
          isSmall
          isBusy={sending.isBusy}
          lockedBecause={lockedBecause}
          aria-label={`Run ${name}`}
          onClick={() => void sending.send(run)}
        >
          Run
        </Button>
      </div>
      <FormFault sending={sending} />
    </>
  )
}
