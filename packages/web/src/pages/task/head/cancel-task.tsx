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
    showToast(
      status === 'canceled' ? `${taskName(task)} is canceled` : `${taskName(task)} stops after what it is doing`,
    )
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
        <Button onClick={onClose}>Let it run</Button>
        <Button type="submit" variant="danger" isBusy={submission.isBusy}>
          Cancel {taskName(task).toLowerCase()}
        </Button>
      </DialogButtons>
    </Form>
  )
}

function describeLeft({ kind, status }: Task, { live, server }: Environment): readonly string[] {
  const serves = live
    ? `Domains go on leading to ${live.commit_sha === null ? 'what is live now' : shortSha(live.commit_sha)} of deployment #${live.task_id}.`
    : 'Nothing serves until a deployment has succeeded.'
  if (status === 'queued')
    return ['It has not begun: nothing of it is on the server.', ...(kind === 'remove' ? [] : [serves])]
  const stops = 'The step that runs is stopped, and no other begins.'
  if (kind === 'deploy') {
    return [`${stops} ${serves}`, 'If visitors have been switched over to it already, it finishes instead.']
  }
  if (kind === 'reset')
    return [`${stops} What was removed from ${server.name} by then stays removed. Deploy again to finish.`]
  if (kind === 'remove')
    return [`${stops} What was removed from ${server.name} by then stays removed. Delete it again to finish.`]
  return [`${stops} What the action has changed by then stays changed.`]
}
