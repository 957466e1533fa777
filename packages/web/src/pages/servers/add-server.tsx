// A new server: what it is called and how it is reached, then the line that sets it up.
import type { Connection, Server } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActs } from '../../components/dialog.tsx'
import { Choice, Form, FormFault } from '../../components/form.tsx'
import { useSending } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { useHere } from '../../layout/current-page.ts'
import { AddressFields, bodyOf, NameField, SERVER_POINTERS, type ServerFields } from './server-fields.tsx'
import { SetUpLine, SetUpTick } from './set-up-line.tsx'

type AddServerProps = {
  readonly organizationId: number
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function AddServer({ organizationId, isOpen, onClose }: AddServerProps) {
  const [added, setAdded] = useState<Server>()
  const close = (): void => {
    setAdded(undefined)
    onClose()
  }
  return (
    <Dialog title={added ? `Set up ${added.name}` : 'Add a server'} isOpen={isOpen} onClose={close} isWide>
      {added === undefined ? (
        <NewServerForm organizationId={organizationId} onAdded={setAdded} onClose={close} />
      ) : (
        <>
          <SetUpLine server={added} />
          <SetUpTick server={added} />
          <DialogActs>
            <Button look="primary" onClick={close}>
              Done
            </Button>
          </DialogActs>
        </>
      )}
    </Dialog>
  )
}

type FormProps = {
  readonly organizationId: number
  readonly onAdded: (server: Server) => void
  readonly onClose: () => void
}

function NewServerForm({ organizationId, onAdded, onClose }: FormProps) {
  const { me } = useHere()
  const [fields, setFields] = useState<ServerFields>({ name: '', hostname: '', port: '22', user: 'shipway-deploy' })
  const [connection, setConnection] = useState<Connection>('ssh')
  const sending = useSending([...SERVER_POINTERS, '/connection'])
  const add = (): Promise<boolean> =>
    sending.send(async () =>
      onAdded(
        await client.createServer({
          body: { ...bodyOf(fields, connection), connection, organization_id: organizationId },
        }),
      ),
    )
  return (
    <Form label="New server" sending={sending} onSend={() => void add()}>
      <NameField fields={fields} onChange={setFields} sending={sending} />
      <Choice
        label="Connection"
        pointer="/connection"
        sending={sending}
        hint={
          me.is_platform_admin
            ? 'The platform signs in over SSH with certificates that last minutes. Its own machine needs none.'
            : 'The platform’s own machine can be added by a platform administrator.'
        }
        value={connection}
        onChange={({ target }) => setConnection(target.value === 'local' ? 'local' : 'ssh')}
      >
        <option value="ssh">Over SSH</option>
        <option value="local" disabled={!me.is_platform_admin}>
          The machine that the platform runs on
        </option>
      </Choice>
      <AddressFields fields={fields} onChange={setFields} connection={connection} sending={sending} />
      <FormFault sending={sending} />
      <DialogActs>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={sending.isBusy}>
          Add server
        </Button>
      </DialogActs>
    </Form>
  )
}
