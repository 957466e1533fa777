// Dialog that resets an environment: deletes everything on the server, then deploys again.
import type { Environment } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { Button } from '../button.tsx'
import { DialogButtons } from '../dialog.tsx'
import { Form, FormError } from '../form.tsx'
import { useSubmission } from '../use-submission.ts'
import { ConfirmName, needsNameConfirmation } from './confirm-name.tsx'
import { DeletedData } from './deleted-data.tsx'

type ResetProps = { readonly environment: Environment; readonly onClose: () => void }

export function ResetEnvironment({ environment, onClose }: ResetProps) {
  const [typed, setTyped] = useState('')
  const submission = useSubmission()
  const navigate = useNavigate()
  const { id, name, branch } = environment
  const isNameConfirmed = !needsNameConfirmation(environment) || typed === name
  const reset = async (): Promise<void> => {
    const task = await client.resetEnvironment({ params: { id } })
    onClose()
    const params = { environmentId: id, taskId: task.id }
    await navigate({ to: '/environments/$environmentId/tasks/$taskId', params })
  }
  return (
    <Form
      label={`Reset ${name}`}
      submission={submission}
      onSubmit={() => isNameConfirmed && void submission.submit(reset)}
    >
      <div className="stack quiet">
        <p>
          <b>Deleted for good:</b> <DeletedData environment={environment} /> Until the new deployment has succeeded,
          nothing answers at {environment.domain}.
        </p>
        <p>
          <b>Kept:</b> its variables, settings, domain and history. It is then deployed from {branch} as if for the
          first time.
        </p>
      </div>
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
          disabledReason={isNameConfirmed ? undefined : `Type ${name} first`}
        >
          Reset environment
        </Button>
      </DialogButtons>
    </Form>
  )
}
