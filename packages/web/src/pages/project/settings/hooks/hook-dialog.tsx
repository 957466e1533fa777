// One webhook: its last deliveries, and what can be done about it.
import type { Hook } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogActs } from '../../../../components/dialog.tsx'
import { FormFault } from '../../../../components/form.tsx'
import { tell } from '../../../../components/toast.tsx'
import { useSending } from '../../../../components/use-submission.ts'
import { cache } from '../../../../data/cache.ts'
import { client } from '../../../../data/client.ts'
import { keys } from '../../../../data/keys.ts'
import { HookDeliveries } from './hook-deliveries.tsx'
import { HookSecret } from './hook-secret.tsx'

type HookDialogProps = { readonly hook: Hook | undefined; readonly onClose: () => void }

export function HookDialog({ hook, onClose }: HookDialogProps) {
  const title = hook === undefined ? '' : `Webhook to ${new URL(hook.url).host}`
  return (
    <Dialog title={title} isOpen={hook !== undefined} onClose={onClose} isWide>
      {hook === undefined ? undefined : <HookPanel key={hook.id} hook={hook} onClose={onClose} />}
    </Dialog>
  )
}

function HookPanel({ hook, onClose }: { readonly hook: Hook; readonly onClose: () => void }) {
  const [secret, setSecret] = useState<string>()
  const [isDeleting, setDeleting] = useState(false)
  if (secret !== undefined) return <HookSecret secret={secret} onClose={onClose} />
  if (isDeleting) return <DeleteHook hook={hook} onClose={onClose} onKeep={() => setDeleting(false)} />
  return (
    <>
      <p className="small quiet">
        <code>{hook.url}</code>
      </p>
      <HookDeliveries hookId={hook.id} />
      <HookActs hook={hook} onSecret={setSecret} onDelete={() => setDeleting(true)} />
    </>
  )
}

type ActsProps = {
  readonly hook: Hook
  readonly onSecret: (secret: string) => void
  readonly onDelete: () => void
}

function HookActs({ hook, onSecret, onDelete }: ActsProps) {
  const sending = useSending()
  const params = { id: hook.id }
  const test = async (): Promise<void> => {
    await client.testHook({ params })
    await cache.invalidateQueries({ queryKey: keys.hookDeliveries(hook.id) })
    tell('A test message is on its way')
  }
  const turn = async (enabled: boolean): Promise<void> => {
    await client.updateHook({ params, body: { enabled } })
    await cache.invalidateQueries({ queryKey: keys.hooks(hook.project_id) })
    tell(enabled ? 'The webhook is on' : 'The webhook is off')
  }
  const renew = async (): Promise<void> => onSecret((await client.regenerateHookSecret({ params })).secret)
  return (
    <>
      <FormFault sending={sending} />
      <DialogActs>
        <Button look="danger" onClick={onDelete}>
          Delete…
        </Button>
        <Button onClick={() => void sending.send(renew)}>New secret</Button>
        <Button onClick={() => void sending.send(() => turn(!hook.enabled))}>
          {hook.enabled ? 'Turn off' : 'Turn on'}
        </Button>
        <Button look="primary" isBusy={sending.isBusy} onClick={() => void sending.send(test)}>
          Send a test
        </Button>
      </DialogActs>
    </>
  )
}

type DeleteProps = { readonly hook: Hook; readonly onClose: () => void; readonly onKeep: () => void }

function DeleteHook({ hook, onClose, onKeep }: DeleteProps) {
  const sending = useSending()
  const remove = async (): Promise<void> => {
    await client.deleteHook({ params: { id: hook.id } })
    await cache.invalidateQueries({ queryKey: keys.hooks(hook.project_id) })
    onClose()
    tell('The webhook is deleted')
  }
  return (
    <>
      <p className="small">Its receiver is told nothing more, and the list of its deliveries goes with it.</p>
      <FormFault sending={sending} />
      <DialogActs>
        <Button onClick={onKeep}>Cancel</Button>
        <Button look="danger" isBusy={sending.isBusy} onClick={() => void sending.send(remove)}>
          Delete webhook
        </Button>
      </DialogActs>
    </>
  )
}
