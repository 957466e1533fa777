// Dialog of a connection: rename it, replace its token or key, check it, delete it.
import type { GitConnection } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { Form, FormError, TextArea, TextField } from '../../../components/form.tsx'
import { Notice } from '../../../components/states.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { cache } from '../../../data/cache.ts'
import { client } from '../../../data/client.ts'
import { keys } from '../../../data/keys.ts'
import { CONNECTION_NAMES, describeProjects, githubAppPage } from '../../../text/connection.ts'

type DialogProps = { readonly connection: GitConnection | undefined; readonly onClose: () => void }

export function ConnectionDialog({ connection, onClose }: DialogProps) {
  return (
    <Dialog title={connection?.name ?? ''} isOpen={connection !== undefined} onClose={onClose} isWide>
      {connection === undefined ? undefined : <Panel key={connection.id} connection={connection} onClose={onClose} />}
    </Dialog>
  )
}

type PanelProps = { readonly connection: GitConnection; readonly onClose: () => void }

function Panel({ connection, onClose }: PanelProps) {
  const [isDeleting, setDeleting] = useState(false)
  return isDeleting ? (
    <DeleteConnection connection={connection} onClose={onClose} onKeep={() => setDeleting(false)} />
  ) : (
    <EditConnection connection={connection} onClose={onClose} onDelete={() => setDeleting(true)} />
  )
}

const refresh = ({ organization_id }: GitConnection): Promise<void> =>
  cache.invalidateQueries({ queryKey: keys.connections(organization_id) })

function EditConnection({ connection, onClose, onDelete }: PanelProps & { readonly onDelete: () => void }) {
  const [name, setName] = useState(connection.name)
  const [token, setToken] = useState('')
  const [key, setKey] = useState('')
  const submission = useSubmission(['/name', '/token', '/private_key'])
  const params = { id: connection.id }
  const save = async (): Promise<void> => {
    await client.updateConnection({ params, body: { name, ...secretsIn(token, key) } })
    await refresh(connection)
    onClose()
    showToast('Saved')
  }
  const check = async (): Promise<void> => {
    const { status } = await client.checkConnection({ params })
    await refresh(connection)
    if (status === 'active') showToast('The connection works')
  }
  return (
    <Form label={connection.name} submission={submission} onSubmit={() => void submission.submit(save)}>
      <p className="small quiet">
        {CONNECTION_NAMES[connection.type]} · {connection.base_url} · {describeProjects(connection)}
      </p>
      <div role="status">
        {connection.status_reason === null ? undefined : <Notice tone="bad">{connection.status_reason}</Notice>}
      </div>
      <TextField
        label="Name"
        pointer="/name"
        submission={submission}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {connection.has_token ? (
        <TextField
          label="Access token"
          hint="Set, never shown. Leave empty to keep it."
          pointer="/token"
          submission={submission}
          type="password"
          autoComplete="off"
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
      ) : undefined}
      {connection.app === null ? undefined : (
        <TextArea
          label="Private key of the App"
          hint="Set, never shown. Leave empty to keep it; paste a new one after you have generated it at GitHub."
          pointer="/private_key"
          submission={submission}
          rows={2}
          autoComplete="off"
          spellCheck={false}
          value={key}
          onChange={({ target }) => setKey(target.value)}
        />
      )}
      {connection.type === 'github_app' && needsGitHub(connection) ? (
        <p className="small">
          <a className="link" href={githubAppPage(connection.id)}>
            {connection.app === null
              ? 'Create the App at GitHub'
              : connection.status === 'failing'
                ? 'Create a new App at GitHub'
                : 'Install the App at GitHub'}
          </a>
        </p>
      ) : undefined}
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" onClick={onDelete}>
          Delete…
        </Button>
        <Button isBusy={submission.isBusy} onClick={() => void submission.submit(check)}>
          Check
        </Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Save
        </Button>
      </DialogButtons>
    </Form>
  )
}

/** Where no event of GitHub said that it was removed, its id is still known. */
const needsGitHub = ({ app, status }: GitConnection): boolean =>
  app?.installation_id == null || status === 'removed' || status === 'failing'

const secretsIn = (token: string, key: string) => ({
  ...(token !== '' && { token: token.trim() }),
  ...(key.trim() !== '' && { private_key: `${key.trim()}\n` }),
})

function DeleteConnection({ connection, onClose, onKeep }: PanelProps & { readonly onKeep: () => void }) {
  const submission = useSubmission()
  const remove = async (): Promise<void> => {
    await client.deleteConnection({ params: { id: connection.id } })
    await refresh(connection)
    onClose()
    showToast('The connection is deleted')
  }
  return (
    <>
      <p className="small">
        The platform forgets its credentials. Revoke them at {new URL(connection.base_url).host}, too.
      </p>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onKeep}>Cancel</Button>
        <Button variant="danger" isBusy={submission.isBusy} onClick={() => void submission.submit(remove)}>
          Delete connection
        </Button>
      </DialogButtons>
    </>
  )
}
