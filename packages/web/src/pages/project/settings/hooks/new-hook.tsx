// Creates a webhook and shows its secret once.
import { HookEvent } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogButtons } from '../../../../components/dialog.tsx'
import { Checkbox, Form, FormError, TextField } from '../../../../components/form.tsx'
import { useSubmission } from '../../../../components/use-submission.ts'
import { cache } from '../../../../data/cache.ts'
import { client } from '../../../../data/client.ts'
import { keys } from '../../../../data/keys.ts'
import { HookSecret } from './hook-secret.tsx'

type NewHookProps = { readonly projectId: number; readonly isOpen: boolean; readonly onClose: () => void }

export function NewHook({ projectId, isOpen, onClose }: NewHookProps) {
  const [secret, setSecret] = useState<string>()
  const close = (): void => {
    setSecret(undefined)
    onClose()
  }
  return (
    <Dialog title="New webhook" isOpen={isOpen} onClose={close} isWide>
      {secret === undefined ? (
        <HookForm projectId={projectId} onMade={setSecret} onClose={close} />
      ) : (
        <HookSecret secret={secret} onClose={close} />
      )}
    </Dialog>
  )
}

type FormProps = {
  readonly projectId: number
  readonly onMade: (secret: string) => void
  readonly onClose: () => void
}

function HookForm({ projectId, onMade, onClose }: FormProps) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly HookEvent[]>(HookEvent.options)
  const submission = useSubmission(['/url', '/events'])
  const fault = submission.fieldErrors.get('/events')
  const make = async (): Promise<void> => {
    const { secret } = await client.createHook({ params: { id: projectId }, body: { url, events: [...events] } })
    await cache.invalidateQueries({ queryKey: keys.hooks(projectId) })
    onMade(secret)
  }
  return (
    <Form label="New webhook" submission={submission} onSubmit={() => void submission.submit(make)}>
      <TextField
        label="Address"
        hint="Messages are sent as JSON with POST and signed by Standard Webhooks"
        pointer="/url"
        submission={submission}
        placeholder="https://hooks.example.com/shipway"
        autoComplete="off"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <fieldset className="stack">
        <legend className="small strong">Events</legend>
        {HookEvent.options.map((event) => (
          <Checkbox
            key={event}
            label={<code>{event}</code>}
            checked={events.includes(event)}
            onChange={({ target }) =>
              setEvents(HookEvent.options.filter((one) => (one === event ? target.checked : events.includes(one))))
            }
          />
        ))}
        {fault === undefined ? undefined : <p className="tiny bad">{fault}</p>}
      </fieldset>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Add webhook
        </Button>
      </DialogButtons>
    </Form>
  )
}
