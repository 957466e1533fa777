// Dialog that adds a server and shows its setup command.
import type { Connection, Server } from '@shipway/api'
import { RuntimeName } from '@shipway/api/values/runtime'
import { hasNodes } from '@shipway/api/values/runtime-facts'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { Choice, Form, FormError } from '../../components/form.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { useCurrentPage } from '../../layout/current-page.ts'
import { AddressFields, bodyOf, NameField, SERVER_POINTERS, type ServerFields } from './server-fields.tsx'
import { SetUpLine, SetUpProgress } from './set-up-line.tsx'

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
          <SetUpProgress server={added} />
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

type FormProps = {
  readonly organizationId: number
  readonly onAdded: (server: Server) => void
  readonly onClose: () => void
}

function NewServerForm({ organizationId, onAdded, onClose }: FormProps) {
  const { me } = useCurrentPage()
  const [fields, setFields] = useState<ServerFields>({ name: '', hostname: '', port: '22', user: 'shipway-deploy' })
  const [connection, setConnection] = useState<Connection>('ssh')
  const [runtime, setRuntime] = useState<RuntimeName>('compose')
  const submission = useSubmission([...SERVER_POINTERS, '/connection', '/runtime'])
  const add = (): Promise<boolean> =>
    submission.submit(async () =>
      onAdded(
        await client.createServer({
          body: { ...bodyOf(fields, connection), connection, runtime, organization_id: organizationId },
        }),
      ),
    )
  return (
    <Form label="New server" submission={submission} onSubmit={() => void add()}>
      <NameField fields={fields} onChange={setFields} submission={submission} />
      <Choice
        label="Connection"
        pointer="/connection"
        submission={submission}
        hint={
          me.is_platform_admin
            ? 'The platform connects over ssh with short-lived certificates. Its own machine needs none.'
            : 'Only platform administrators can add the platform’s own machine.'
        }
        value={connection}
        onChange={({ target }) => setConnection(target.value === 'local' ? 'local' : 'ssh')}
      >
        <option value="ssh">Over SSH</option>
        <option value="local" disabled={!me.is_platform_admin}>
          The platform’s own machine
        </option>
      </Choice>
      <Choice
        label="Containers run on"
        pointer="/runtime"
        submission={submission}
        hint={
          hasNodes[runtime]
            ? 'Name one of its managers. A machine that is in no Swarm yet begins a new one. Other machines join afterwards.'
            : undefined
        }
        value={runtime}
        onChange={({ target }) => setRuntime(RuntimeName.parse(target.value))}
      >
        <option value="compose">This machine</option>
        <option value="swarm">A Docker Swarm of several machines</option>
      </Choice>
      <AddressFields fields={fields} onChange={setFields} connection={connection} submission={submission} />
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Add server
        </Button>
      </DialogButtons>
    </Form>
  )
}
