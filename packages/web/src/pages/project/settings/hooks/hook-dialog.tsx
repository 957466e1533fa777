// Dialog of a webhook: deliveries, test, secret, deletion.
import type { Hook } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../../../components/button.tsx'
import { Dialog, DialogButtons } from '../../../../components/dialog.tsx'
import { FormError } from '../../../../components/form.tsx'
import { showToast } from '../../../../components/toast.tsx'
import { useSubmission } from '../../../../components/use-submission.ts'
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
      <HookButtons hook={hook} onSecret={setSecret} onDelete={() => setDeleting(true)} onClose={onClose} />
    </>
  )
}

type MenuProps = {
  readonly hook: Hook
  readonly onSecret: (secret: string) => void
  readonly onDelete: () => void
  readonly onClose: () => void
}

function HookButtons({ hook, onSecret, onDelete, onClose }: MenuProps) {
  const submission = useSubmission()
  const params = { id: hook.id }
  const test = async (): Promise<void> => {
    await client.testHook({ params })
    await cache.invalidateQueries({ queryKey: keys.hookDeliveries(hook.id) })
    showToast('A test message is on its way')
  }
  const turn = async (enabled: boolean): Promise<void> => {
    await client.updateHook({ params, body: { enabled } })
    await cache.invalidateQueries({ queryKey: keys.hooks(hook.project_id) })
    showToast(enabled ? 'The webhook is on' : 'The webhook is off')
  }
  const renew = async (): Promise<void> => onSecret((await client.regenerateHookSecret({ params })).secret)
  return (
    <>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
        <Button variant="danger" onClick={onDelete}>
          Delete…
        </Button>
        <Button onClick={() => void submission.submit(renew)}>New secret</Button>
        <Button onClick={() => void submission.submit(() => turn(!hook.enabled))}>
          {hook.enabled ? 'Turn off' : 'Turn on'}
        </Button>
        <Button variant="primary" isBusy={submission.isBusy} onClick={() => void submission.submit(test)}>
          Send test
        </Button>
      </DialogButtons>
    </>
  )
}

type DeleteProps = { readonly hook: Hook; readonly onClose: () => void; readonly onKeep: () => void }

function DeleteHook({ hook, onClose, onKeep }: DeleteProps) {
  const submission = useSubmission()
  const remove = async (): Promise<void> => {
    await client.deleteHook({ params: { id: hook.id } })
    await cache.invalidateQueries({ queryKey: keys.hooks(hook.project_id) })
    onClose()
    showToast('The webhook is deleted')
  }
  return (
    <>
      <p className="small">The receiver gets no more messages, and the list of deliveries is deleted.</p>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onKeep}>Cancel</Button>
        <Button variant="danger" isBusy={submission.isBusy} onClick={() => void submission.submit(remove)}>
          Delete webhook
        </Button>
      </DialogButtons>
    </>
  )
}
