// Dialog that cancels a task and says what is left behind.
import type { Environment, Task } from '@shipway/api'
import { Button } from '../../../components/button.tsx'
import { DialogButtons } from '../../../components/dialog.tsx'
import { Form, FormError } from '../../../components/form.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { client } from '../../../data/client.ts'
import { shortSha } from '../../../text/sha.ts'
import { taskName } from '../task-name.ts'

type CancelProps = { readonly task: Task; readonly environment: Environment; readonly onClose: () => void }

export function CancelTask({ task, environment, onClose }: CancelProps) {
  const submission = useSubmission()
  const cancel = async (): Promise<void> => {
    const { status } = await client.cancelTask({ params: { id: task.id } })
    onClose()
    showToast(status === 'canceled' ? `${taskName(task)} is canceled` : `${taskName(task)} is being canceled`)
  }
  return (
    <Form label={`Cancel ${taskName(task)}`} submission={submission} onSubmit={() => void submission.submit(cancel)}>
      {describeLeft(task, environment).map((sentence) => (
        <p key={sentence} className="quiet">
          {sentence}
        </p>
      ))}
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Keep running</Button>
        <Button type="submit" variant="danger" isBusy={submission.isBusy}>
          Cancel {taskName(task).toLowerCase()}
        </Button>
      </DialogButtons>
    </Form>
  )
}

function describeLeft({ kind, status }: Task, { live, server }: Environment): readonly string[] {
  const serves = live
    ? `${live.commit_sha === null ? 'The version' : shortSha(live.commit_sha)} of deployment #${live.task_id} stays live.`
    : 'Nothing is live until a deployment succeeds.'
  if (status === 'queued')
    return ['It has not started, so nothing is on the server yet.', ...(kind === 'remove' ? [] : [serves])]
  const stops = 'The running step is stopped, and no other starts.'
  if (kind === 'deploy') {
    return [`${stops} ${serves}`, 'If visitors already get the new version, the deployment finishes instead.']
  }
  if (kind === 'reset')
    return [`${stops} Data that was already removed from ${server.name} stays removed. Deploy again to finish.`]
  if (kind === 'remove')
    return [
      `${stops} Data that was already removed from ${server.name} stays removed. Delete the environment again to finish.`,
    ]
  return [`${stops} Changes that the ${kind === 'run' ? 'command' : 'action'} already made stay.`]
}
