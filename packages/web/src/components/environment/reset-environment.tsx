// Resetting: everything of it on its server goes, then it is deployed anew.
import type { Environment } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { Button } from '../button.tsx'
import { DialogActs } from '../dialog.tsx'
import { Form, FormFault } from '../form.tsx'
import { useSending } from '../use-submission.ts'
import { asksForName, NameField } from './confirm-name.tsx'
import { WhatGoes } from './deleted-data.tsx'

type ResetProps = { readonly environment: Environment; readonly onClose: () => void }

export function ResetEnvironment({ environment, onClose }: ResetProps) {
  const [typed, setTyped] = useState('')
  const sending = useSending()
  const navigate = useNavigate()
  const { id, name, branch } = environment
  const isNamed = !asksForName(environment) || typed === name
  const reset = async (): Promise<void> => {
    const task = await client.resetEnvironment({ params: { id } })
    onClose()
    const params = { environmentId: id, taskId: task.id }
    await navigate({ to: '/environments/$environmentId/tasks/$taskId', params })
  }
  return (
    <Form label={`Reset ${name}`} sending={sending} onSend={() => isNamed && void sending.send(reset)}>
      <div className="stack quiet">
        <p>
          <b>Goes, for good:</b> <WhatGoes environment={environment} /> Until the new deployment has succeeded, nothing
          answers at {environment.domain}.
        </p>
        <p>
          <b>Stays:</b> its variables, settings and address, and the list of its deployments. Then it is deployed from{' '}
          {branch}, as if for the first time.
        </p>
      </div>
      {asksForName(environment) ? <NameField {...{ name, typed, sending }} onType={setTyped} /> : undefined}
      <FormFault sending={sending} />
      <DialogActs>
        <Button onClick={onClose}>Keep it as it is</Button>
        <Button
          type="submit"
          look="danger"
          isBusy={sending.isBusy}
          lockedBecause={isNamed ? undefined : `Type ${name} first`}
        >
          Reset environment
        </Button>
      </DialogActs>
    </Form>
  )
}
