// Dialog of a channel: change it, send a test, turn it off, delete it.
import type { Channel, ChannelTest } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { Form, FormError, TextField } from '../../../components/form.tsx'
import { Notice } from '../../../components/states.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { cache } from '../../../data/cache.ts'
import { client } from '../../../data/client.ts'
import { keys } from '../../../data/keys.ts'
import { CHANNEL_NAMES, targetOf } from '../../../text/channel.ts'
import { type ChannelDraft, EventFields, TargetFields, toTarget } from './channel-fields.tsx'
import styles from './channels.module.css'

type DialogProps = { readonly channel: Channel | undefined; readonly onClose: () => void }

export function ChannelDialog({ channel, onClose }: DialogProps) {
  return (
    <Dialog title={channel?.name ?? ''} isOpen={channel !== undefined} onClose={onClose} isWide>
      {channel === undefined ? undefined : <Panel key={channel.id} channel={channel} onClose={onClose} />}
    </Dialog>
  )
}

type PanelProps = { readonly channel: Channel; readonly onClose: () => void }

function Panel({ channel, onClose }: PanelProps) {
  const [isDeleting, setDeleting] = useState(false)
  return isDeleting ? (
    <DeleteChannel channel={channel} onClose={onClose} onKeep={() => setDeleting(false)} />
  ) : (
    <EditChannel channel={channel} onClose={onClose} onDelete={() => setDeleting(true)} />
  )
}

const draftOf = ({ type, name, recipient, events, severities }: Channel): ChannelDraft => ({
  type,
  name,
  url: '',
  token: '',
  recipient: recipient ?? '',
  events,
  severities,
})

const refresh = ({ organization_id }: Channel): Promise<void> =>
  cache.invalidateQueries({ queryKey: keys.channels(organization_id) })

function EditChannel({ channel, onClose, onDelete }: PanelProps & { readonly onDelete: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(channel))
  const [tested, setTested] = useState<ChannelTest>()
  const submission = useSubmission(['/name', '/url', '/token', '/recipient', '/events', '/severities'])
  const params = { id: channel.id }
  const change = (changes: Partial<ChannelDraft>): void => setDraft({ ...draft, ...changes })
  const save = async (): Promise<void> => {
    const { name, events, severities } = draft
    await client.updateChannel({
      params,
      body: { name, events: [...events], severities: [...severities], ...toTarget(draft) },
    })
    await refresh(channel)
    onClose()
    showToast('Saved')
  }
  const turn = async (): Promise<void> => {
    await client.updateChannel({ params, body: { enabled: !channel.enabled } })
    await refresh(channel)
    showToast(channel.enabled ? 'The channel is off' : 'The channel is on')
  }
  const test = async (): Promise<void> => {
    setTested(undefined)
    setTested(await client.testChannel({ params }))
    await refresh(channel)
  }
  return (
    <Form label={channel.name} submission={submission} onSubmit={() => void submission.submit(save)}>
      <p className="small quiet">
        {CHANNEL_NAMES[channel.type]} · {targetOf(channel)}
      </p>
      <TextField
        label="Name"
        pointer="/name"
        submission={submission}
        autoComplete="off"
        value={draft.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <TargetFields draft={draft} onChange={change} submission={submission} isKnown />
      <EventFields draft={draft} onChange={change} submission={submission} />
      <div role="status">{tested === undefined ? undefined : <TestAnswer tested={tested} />}</div>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" onClick={onDelete}>
          Delete…
        </Button>
        <Button onClick={() => void submission.submit(turn)}>{channel.enabled ? 'Turn off' : 'Turn on'}</Button>
        <Button isBusy={submission.isBusy} onClick={() => void submission.submit(test)}>
          Send a test
        </Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Save
        </Button>
      </DialogButtons>
    </Form>
  )
}

function TestAnswer({ tested: { succeeded, message, response_text } }: { readonly tested: ChannelTest }) {
  return (
    <Notice tone={succeeded ? 'calm' : 'bad'}>
      {succeeded ? 'The test message was sent. ' : 'The test message did not arrive. '}
      {message}
      {response_text ? <div className={`tiny quiet ${styles.answer}`}>{response_text}</div> : undefined}
    </Notice>
  )
}

function DeleteChannel({ channel, onClose, onKeep }: PanelProps & { readonly onKeep: () => void }) {
  const submission = useSubmission()
  const remove = async (): Promise<void> => {
    await client.deleteChannel({ params: { id: channel.id } })
    await refresh(channel)
    onClose()
    showToast('The channel is deleted')
  }
  return (
    <>
      <p className="small">{targetOf(channel)} gets no more messages.</p>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onKeep}>Cancel</Button>
        <Button variant="danger" isBusy={submission.isBusy} onClick={() => void submission.submit(remove)}>
          Delete channel
        </Button>
      </DialogButtons>
    </>
  )
}
