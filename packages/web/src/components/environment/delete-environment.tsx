// Deleting: what goes, what stays, and, where a removal has failed, a way to end it without its server.
import type { Environment, Task } from '@shipway/api'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { abandonLock, hasFailedRemoval, type Place } from '../../data/environment-reasons.ts'
import { Button } from '../button.tsx'
import { DialogActs } from '../dialog.tsx'
import { Checkbox, Form, FormFault } from '../form.tsx'
import { tell } from '../toast.tsx'
import { useSending } from '../use-submission.ts'
import { asksForName, NameField } from './confirm-name.tsx'
import { WhatGoes } from './deleted-data.tsx'

type DeleteProps = {
  readonly environment: Environment
  readonly lastTask: Task | undefined
  readonly place: Place
  readonly onClose: () => void
}

export function DeleteEnvironment({ environment, lastTask, place, onClose }: DeleteProps) {
  const [typed, setTyped] = useState('')
  const [isAbandoning, setAbandoning] = useState(false)
  const sending = useSending()
  const navigate = useNavigate()
  const { id, name, project_id } = environment
  const isNamed = !asksForName(environment) || typed === name
  const remove = async (): Promise<void> => {
    const body = isAbandoning ? { abandon_server: true } : undefined
    const task = await client.deleteEnvironment({ params: { id }, ...(body && { body }) })
    onClose()
    tell(task.status === 'succeeded' ? `${name} is gone` : `${name} is being removed`)
    await navigate({ to: '/projects/$projectId', params: { projectId: project_id } })
  }
  return (
    <Form label={`Delete ${name}`} sending={sending} onSend={() => isNamed && void sending.send(remove)}>
      <WhatHappens environment={environment} isAbandoning={isAbandoning} />
      {hasFailedRemoval(lastTask) ? (
        <Abandoning {...{ environment, place, isAbandoning }} onChange={setAbandoning} />
      ) : undefined}
      {asksForName(environment) ? <NameField {...{ name, typed, sending }} onType={setTyped} /> : undefined}
      <FormFault sending={sending} />
      <DialogActs>
        <Button onClick={onClose}>Keep it</Button>
        <Button
          type="submit"
          look="danger"
          isBusy={sending.isBusy}
          lockedBecause={isNamed ? undefined : `Type ${name} first`}
        >
          Delete Environment
        </Button>
      </DialogActs>
    </Form>
  )
}

type Happening = { readonly environment: Environment; readonly isAbandoning: boolean }

function WhatHappens({ environment, isAbandoning }: Happening) {
  const { server, domain, last_deployment, pull_request, branch } = environment
  if (last_deployment === null)
    return <p className="quiet">It was never deployed: it leaves the list, and nothing else goes.</p>
  return (
    <div className="stack quiet">
      {isAbandoning ? (
        <p>
          <b>Goes:</b> the environment from the list, and its variables. Whatever {server.name} has of it stays there.
        </p>
      ) : (
        <p>
          <b>Goes, for good:</b> <WhatGoes environment={environment} /> Its variables go too, and nothing answers at{' '}
          {domain} any more.
        </p>
      )}
      <p>
        <b>Stays:</b> the branch {branch}, {pull_request ? `pull request #${pull_request.number}, ` : ''}the project and
        its variables.
      </p>
    </div>
  )
}

type AbandoningProps = Happening & { readonly place: Place; readonly onChange: (isAbandoning: boolean) => void }

function Abandoning({ environment: { server }, place, isAbandoning, onChange }: AbandoningProps) {
  const lock = abandonLock(place)
  return (
    <Checkbox
      label={`Give up what is on ${server.name}`}
      hint={
        lock ??
        `The last removal failed. If ${server.name} is gone for good, this ends it in the records alone, without its destroy tasks`
      }
      disabled={lock !== undefined}
      checked={isAbandoning}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}
