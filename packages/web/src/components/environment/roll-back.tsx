// Dialog that rolls an environment back to an earlier deployment.
import type { Environment, Task } from '@shipway/api'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { shortSha } from '../../text/sha.ts'
import { describeOrigin, taskTitle } from '../../text/task.ts'
import { Button } from '../button.tsx'
import { DialogButtons } from '../dialog.tsx'
import { Form, FormError } from '../form.tsx'
import { RelativeTime } from '../time.tsx'
import { useSubmission } from '../use-submission.ts'
import styles from './roll-back.module.css'

type RollBackProps = {
  readonly environment: Environment
  readonly targets: readonly Task[]
  /** Preselected deployment, unless it is the newest. */
  readonly first?: number
  readonly onClose: () => void
}

export function RollBack({ environment, targets, first, onClose }: RollBackProps) {
  const [chosen, setChosen] = useState(first ?? targets[0]?.id)
  const submission = useSubmission()
  const navigate = useNavigate()
  const rollBack = async (taskId: number): Promise<void> => {
    const task = await client.rollBackEnvironment({ params: { id: environment.id }, body: { task_id: taskId } })
    onClose()
    const params = { environmentId: environment.id, taskId: task.id }
    await navigate({ to: '/environments/$environmentId/tasks/$taskId', params })
  }
  const { live } = environment
  return (
    <Form
      label={`Roll back ${environment.name}`}
      submission={submission}
      onSubmit={() => chosen !== undefined && void submission.submit(() => rollBack(chosen))}
    >
      <p className="quiet">
        {runsContainers[environment.effective_recipe]
          ? 'Deploys the commit and the images of an earlier deployment again, without a new build.'
          : 'Deploys the commit of an earlier deployment again.'}{' '}
        Variables, volumes and databases stay as they are.{' '}
        {live ? `${live.commit_sha ? shortSha(live.commit_sha) : 'The live deployment'} keeps serving until then.` : ''}
      </p>
      <fieldset className={styles.targets}>
        <legend className="visually-hidden">Roll back to</legend>
        {targets.map((task) => (
          <label key={task.id} className={styles.target}>
            <input type="radio" name="target" checked={chosen === task.id} onChange={() => setChosen(task.id)} />
            <span className="grow">
              <span className="cut strong" title={taskTitle(task)}>
                #{task.id} {taskTitle(task)}
              </span>
              <span className="tiny faint">
                {describeOrigin(task)} · <RelativeTime at={task.finished_at ?? task.created_at} />
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" isBusy={submission.isBusy}>
          {chosen === undefined ? 'Roll back' : `Roll back to #${chosen}`}
        </Button>
      </DialogButtons>
    </Form>
  )
}
