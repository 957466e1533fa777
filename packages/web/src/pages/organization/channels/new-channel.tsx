// Adds a channel; the secret of a webhook is shown once.
import { AlertSeverity, ChannelType } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { Choice, Form, FormError, TextField } from '../../../components/form.tsx'
import { Snippet } from '../../../components/snippet.tsx'
import { Notice } from '../../../components/states.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { cache } from '../../../data/cache.ts'
import { client } from '../../../data/client.ts'
import { keys } from '../../../data/keys.ts'
import { CHANNEL_NAMES } from '../../../text/channel.ts'
import { type ChannelDraft, EventFields, TargetFields, toTarget } from './channel-fields.tsx'

type NewChannelProps = { readonly organizationId: number; readonly isOpen: boolean; readonly onClose: () => void }

export function NewChannel({ organizationId, isOpen, onClose }: NewChannelProps) {
  const [secret, setSecret] = useState<string>()
  const close = (): void => {
    setSecret(undefined)
    onClose()
  }
  return (
    <Dialog title="Add channel" isOpen={isOpen} onClose={close} isWide>
      {secret === undefined ? (
        <ChannelForm organizationId={organizationId} onSecret={setSecret} onClose={close} />
      ) : (
        <>
          <Snippet label="the secret of the webhook" text={secret} />
          <Notice>The secret is shown only once. The receiver uses it to verify messages.</Notice>
          <DialogButtons>
            <Button variant="primary" onClick={close}>
              Done
            </Button>
          </DialogButtons>
        </>
      )}
    </Dialog>
  )
}

const EMPTY: ChannelDraft = {
  type: 'slack',
  name: '',
  url: '',
  token: '',
  recipient: '',
  events: ['alert.opened', 'alert.resolved'],
  severities: AlertSeverity.options,
}

type FormProps = {
  readonly organizationId: number
  readonly onSecret: (secret: string) => void
  readonly onClose: () => void
}

function ChannelForm({ organizationId, onSecret, onClose }: FormProps) {
  const [draft, setDraft] = useState(EMPTY)
  const submission = useSubmission(['/name', '/url', '/token', '/recipient', '/events', '/severities'])
  const change = (changes: Partial<ChannelDraft>): void => setDraft({ ...draft, ...changes })
  const add = async (): Promise<void> => {
    const { type, name, events, severities } = draft
    const body = {
      type,
      name: name === '' ? CHANNEL_NAMES[type] : name,
      events: [...events],
      severities: [...severities],
      ...toTarget(draft),
    }
    const { secret } = await client.createChannel({ params: { id: organizationId }, body })
    await cache.invalidateQueries({ queryKey: keys.channels(organizationId) })
    if (secret !== null) return onSecret(secret)
    onClose()
    showToast('The channel is added. Open it to send a test')
  }
  return (
    <Form label="Add channel" submission={submission} onSubmit={() => void submission.submit(add)}>
      <Choice
        label="Type"
        pointer="/type"
        submission={submission}
        value={draft.type}
        onChange={({ target }) => change({ type: ChannelType.parse(target.value) })}
      >
        {ChannelType.options.map((type) => (
          <option key={type} value={type}>
            {CHANNEL_NAMES[type]}
          </option>
        ))}
      </Choice>
      <TextField
        label="Name"
        pointer="/name"
        submission={submission}
        placeholder={CHANNEL_NAMES[draft.type]}
        autoComplete="off"
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <TargetFields draft={draft} onChange={change} submission={submission} />
      <EventFields draft={draft} onChange={change} submission={submission} />
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Add channel
        </Button>
      </DialogButtons>
    </Form>
  )
}
