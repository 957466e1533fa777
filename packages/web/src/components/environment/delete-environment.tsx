// Dialog that deletes an environment. After a failed removal it offers to abandon the server.
import type { Environment, Task } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { type EnvironmentContext, hasFailedRemoval, whyNotAbandon } from '../../data/environment-reasons.ts'
import { Button } from '../button.tsx'
import { DialogButtons } from '../dialog.tsx'
import { Checkbox, Form, FormError } from '../form.tsx'
import { showToast } from '../toast.tsx'
import { useSubmission } from '../use-submission.ts'
import { ConfirmName, needsNameConfirmation } from './confirm-name.tsx'
import { DeletedData } from './deleted-data.tsx'

type DeleteProps = {
  readonly environment: Environment
  readonly lastTask: Task | undefined
  readonly context: EnvironmentContext
  readonly onClose: () => void
}

export function DeleteEnvironment({ environment, lastTask, context, onClose }: DeleteProps) {
  const [typed, setTyped] = useState('')
  const [isAbandoning, setAbandoning] = useState(false)
  const submission = useSubmission()
  const navigate = useNavigate()
  const { id, name, project_id } = environment
  const isNameConfirmed = !needsNameConfirmation(environment) || typed === name
  const remove = async (): Promise<void> => {
    const body = isAbandoning ? { abandon_server: true } : undefined
    const task = await client.deleteEnvironment({ params: { id }, ...(body && { body }) })
    onClose()
    showToast(task.status === 'succeeded' ? `${name} is deleted` : `${name} is being removed`)
    await navigate({ to: '/projects/$projectId', params: { projectId: project_id } })
  }
  return (
    <Form
      label={`Delete ${name}`}
      submission={submission}
      onSubmit={() => isNameConfirmed && void submission.submit(remove)}
    >
      <Consequences environment={environment} isAbandoning={isAbandoning} />
      {hasFailedRemoval(lastTask) ? (
        <AbandonServer
          environment={environment}
          context={context}
          isAbandoning={isAbandoning}
          onChange={setAbandoning}
        />
      ) : undefined}
      {needsNameConfirmation(environment) ? (
        <ConfirmName name={name} typed={typed} submission={submission} onType={setTyped} />
      ) : undefined}
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="danger"
          isBusy={submission.isBusy}
          disabledReason={isNameConfirmed ? undefined : `Type ${name} to confirm`}
        >
          Delete Environment
        </Button>
      </DialogButtons>
    </Form>
  )
}

type ConsequenceProps = { readonly environment: Environment; readonly isAbandoning: boolean }

function Consequences({ environment, isAbandoning }: ConsequenceProps) {
  const { server, domain, last_deployment, pull_request, branch } = environment
  if (last_deployment === null)
    return <p className="quiet">This environment was never deployed, so nothing else is deleted.</p>
  return (
    <div className="stack quiet">
      {isAbandoning ? (
        <p>
          <b>Deleted:</b> the environment and its variables. Its containers and files stay on {server.name}.
        </p>
      ) : (
        <p>
          <b>Deleted for good:</b> <DeletedData environment={environment} /> Its variables are deleted, too, and{' '}
          {domain} stops answering.
        </p>
      )}
      <p>
        <b>Kept:</b> the branch {branch}, {pull_request ? `pull request #${pull_request.number}, ` : ''}the project and
        its variables.
      </p>
    </div>
  )
}

type AbandonProps = ConsequenceProps & {
  readonly context: EnvironmentContext
  readonly onChange: (isAbandoning: boolean) => void
}

function AbandonServer({ environment: { server }, context, isAbandoning, onChange }: AbandonProps) {
  const reason = whyNotAbandon(context)
  return (
    <Checkbox
      label={`Abandon its files on ${server.name}`}
      hint={
        reason ??
        `The last removal failed. If ${server.name} no longer exists, this deletes the environment without running its destroy tasks`
      }
      disabled={reason !== undefined}
      checked={isAbandoning}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}
