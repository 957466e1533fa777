// Connects a git host: by an access token, or GitHub by an App that is made there.
import { CONNECTION_TYPES, ConnectionType } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { Choice, Form, FormError, TextField } from '../../../components/form.tsx'
import { showToast } from '../../../components/toast.tsx'
import { useSubmission } from '../../../components/use-submission.ts'
import { cache } from '../../../data/cache.ts'
import { client } from '../../../data/client.ts'
import { keys } from '../../../data/keys.ts'
import { CONNECTION_NAMES, githubAppPage, TOKEN_HINTS } from '../../../text/connection.ts'

type NewConnectionProps = { readonly organizationId: number; readonly isOpen: boolean; readonly onClose: () => void }

export function NewConnection({ organizationId, isOpen, onClose }: NewConnectionProps) {
  return (
    <Dialog title="Add connection" isOpen={isOpen} onClose={onClose} isWide>
      <ConnectionForm organizationId={organizationId} onClose={onClose} />
    </Dialog>
  )
}

function ConnectionForm({ organizationId, onClose }: Omit<NewConnectionProps, 'isOpen'>) {
  const [type, setType] = useState<ConnectionType>('github_app')
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [token, setToken] = useState('')
  const submission = useSubmission(['/type', '/name', '/base_url', '/token'])
  const usual = CONNECTION_TYPES[type].baseUrl
  const isApp = type === 'github_app'
  const add = async (): Promise<void> => {
    const { id } = await client.createConnection({
      params: { id: organizationId },
      body: {
        type,
        name: name === '' ? CONNECTION_NAMES[type] : name,
        ...(address.trim() !== '' && { base_url: address.trim() }),
        ...(token !== '' && !isApp && { token: token.trim() }),
      },
    })
    // A page of its own, whose policy lets a form leave for GitHub.
    if (isApp) return location.assign(githubAppPage(id))
    await cache.invalidateQueries({ queryKey: keys.connections(organizationId) })
    onClose()
    showToast('Connected. New projects can use it')
  }
  return (
    <Form label="Add connection" submission={submission} onSubmit={() => void submission.submit(add)}>
      <Choice
        label="Git host"
        pointer="/type"
        submission={submission}
        value={type}
        onChange={({ target }) => setType(ConnectionType.parse(target.value))}
      >
        {ConnectionType.options.map((option) => (
          <option key={option} value={option}>
            {CONNECTION_NAMES[option]}
          </option>
        ))}
      </Choice>
      <TextField
        label={usual === null ? 'Address' : 'Address (optional)'}
        hint={
          type === 'bitbucket'
            ? 'The address of your workspace. Add one connection for each workspace.'
            : usual === null
              ? undefined
              : `Left empty, it is ${usual}.`
        }
        pointer="/base_url"
        submission={submission}
        placeholder={type === 'bitbucket' ? 'https://bitbucket.org/my-workspace' : (usual ?? 'https://git.example.com')}
        autoComplete="off"
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      {isApp ? (
        <p className="small quiet">
          GitHub makes an App for this platform. You choose the account and its repositories there.
        </p>
      ) : (
        <TextField
          label="Access token"
          hint={`${TOKEN_HINTS[type]} It is stored encrypted and never shown again.`}
          pointer="/token"
          submission={submission}
          type="password"
          autoComplete="off"
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
      )}
      <TextField
        label="Name"
        pointer="/name"
        submission={submission}
        placeholder={CONNECTION_NAMES[type]}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          {isApp ? 'Continue' : 'Connect'}
        </Button>
      </DialogButtons>
    </Form>
  )
}
