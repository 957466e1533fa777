// Dialogs that edit, set up or remove a server.
import type { Server } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { Form, FormError } from '../../components/form.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { AddressFields, bodyOf, NameField, SERVER_POINTERS, type ServerFields } from './server-fields.tsx'
import { SetUpLine, SetUpProgress } from './set-up-line.tsx'

export type DialogName = 'edit' | 'set_up' | 'forget_key' | 'remove'

type Props = { readonly server: Server; readonly onClose: () => void }
type DialogsProps = Props & { readonly open: DialogName | undefined; readonly onForgotten: () => void }

export function ServerDialogs({ server, open, onClose, onForgotten }: DialogsProps) {
  return (
    <>
      <Dialog title={`Edit ${server.name}`} isOpen={open === 'edit'} onClose={onClose}>
        <Edit server={server} onClose={onClose} />
      </Dialog>
      <Dialog title={`Set up ${server.name}`} isOpen={open === 'set_up'} onClose={onClose} isWide>
        <SetUpLine server={server} />
        <SetUpProgress server={server} />
        <DialogButtons>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      </Dialog>
      <Dialog title={`Forget host key of ${server.name}`} isOpen={open === 'forget_key'} onClose={onClose}>
        <ForgetKey server={server} onClose={onClose} onForgotten={onForgotten} />
      </Dialog>
      <Dialog title={`Remove ${server.name}`} isOpen={open === 'remove'} onClose={onClose}>
        <Remove server={server} onClose={onClose} />
      </Dialog>
    </>
  )
}

const reload = ({ organization_id }: Server): Promise<void> =>
  cache.invalidateQueries({ queryKey: keys.servers(organization_id) })

function Edit({ server, onClose }: Props) {
  const { connection } = server
  const before = { name: server.name, hostname: server.hostname, port: String(server.port), user: server.user }
  const [fields, setFields] = useState<ServerFields>(before)
  const submission = useSubmission(SERVER_POINTERS)
  const isMoved = fields.hostname !== before.hostname || fields.port !== before.port || fields.user !== before.user
  const save = async (): Promise<void> => {
    const isSaved = await submission.submit(async () => {
      await client.updateServer({ params: { id: server.id }, body: bodyOf(fields, connection) })
      await reload(server)
    })
    if (isSaved) onClose()
  }
  return (
    <Form label="Edit the server" submission={submission} onSubmit={() => void save()}>
      <NameField fields={fields} onChange={setFields} submission={submission} />
      <AddressFields fields={fields} onChange={setFields} connection={connection} submission={submission} />
      {isMoved && connection === 'ssh' ? (
        <p className="small quiet">
          The platform connects again. If this is another machine or user, run the set-up line there first.
        </p>
      ) : undefined}
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Save
        </Button>
      </DialogButtons>
    </Form>
  )
}

function ForgetKey({ server, onClose, onForgotten }: Props & { readonly onForgotten: () => void }) {
  const submission = useSubmission()
  const forget = async (): Promise<void> => {
    const isForgotten = await submission.submit(async () => {
      await client.updateServer({ params: { id: server.id }, body: { host_key: null } })
      await reload(server)
    })
    if (!isForgotten) return
    onClose()
    onForgotten()
  }
  return (
    <>
      <p className="small">
        The platform stored the host key of {server.name} at the first connection and refuses any other. Forget it if
        the machine was reinstalled or its keys were changed on purpose.
      </p>
      <p className="small">
        The next connection stores whatever key it gets. If nothing was changed there, this may be an attack: find out
        first.
      </p>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" isBusy={submission.isBusy} onClick={() => void forget()}>
          Forget key and check
        </Button>
      </DialogButtons>
    </>
  )
}

function Remove({ server, onClose }: Props) {
  const submission = useSubmission()
  const remove = async (): Promise<void> => {
    const isRemoved = await submission.submit(async () => {
      await client.deleteServer({ params: { id: server.id } })
      await reload(server)
    })
    if (!isRemoved) return
    onClose()
    showToast(
      <>
        <b>{server.name}</b> is removed
      </>,
    )
  }
  return (
    <>
      <p className="small">
        Shipway removes {server.name} from its records. Nothing on the machine is changed or deleted.
      </p>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" isBusy={submission.isBusy} onClick={() => void remove()}>
          Remove server
        </Button>
      </DialogButtons>
    </>
  )
}
