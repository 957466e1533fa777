// Creates a personal token and shows it once.
import { type Me, SCOPES, type Scope } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons, ShownOnce } from '../../components/dialog.tsx'
import { Checkbox, Choice, Form, FormError, TextField } from '../../components/form.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { SCOPE_DESCRIPTIONS } from '../../text/scopes.ts'
import styles from './profile.module.css'
import { tokensQuery } from './tokens-query.ts'

type NewTokenProps = { readonly me: Me; readonly isOpen: boolean; readonly onClose: () => void }
type Made = { readonly name: string; readonly token: string }

export function NewToken({ me, isOpen, onClose }: NewTokenProps) {
  const [made, setMade] = useState<Made>()
  const close = (): void => {
    setMade(undefined)
    onClose()
  }
  return (
    <Dialog title={made ? made.name : 'New personal token'} isOpen={isOpen} onClose={close} isWide>
      {made ? <Appearance made={made} onClose={close} /> : <TokenForm me={me} onMade={setMade} onClose={close} />}
    </Dialog>
  )
}

const DAYS = [
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [366, '1 year'],
] as const

type FormProps = Omit<NewTokenProps, 'isOpen'> & { readonly onMade: (made: Made) => void }

function TokenForm({ me, onMade, onClose }: FormProps) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['read'])
  const [days, setDays] = useState(90)
  const [organizationId, setOrganizationId] = useState<number>()
  const submission = useSubmission(['/name', '/scopes', '/expires_in_days', '/organization_id'])
  const fault = submission.fieldErrors.get('/scopes')
  const make = async (): Promise<void> => {
    const bound = organizationId === undefined ? {} : { organization_id: organizationId }
    const { token } = await client.createToken({ body: { name, scopes: [...scopes], expires_in_days: days, ...bound } })
    await cache.invalidateQueries({ queryKey: tokensQuery.queryKey })
    onMade({ name, token })
  }
  return (
    <Form label="New personal token" submission={submission} onSubmit={() => void submission.submit(make)}>
      <TextField
        label="Name"
        pointer="/name"
        submission={submission}
        hint="Where it is used, so that you know which one to revoke later."
        placeholder="nightly-import"
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset className={styles.scopes}>
        <legend className="small strong">Scopes</legend>
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            label={<code>{scope}</code>}
            hint={SCOPE_DESCRIPTIONS[scope]}
            checked={scopes.includes(scope)}
            onChange={({ target }) =>
              setScopes(SCOPES.filter((known) => (known === scope ? target.checked : scopes.includes(known))))
            }
          />
        ))}
        {fault === undefined ? undefined : <p className="tiny bad">{fault}</p>}
      </fieldset>
      <div className={styles.pair}>
        <Choice
          label="Expires after"
          pointer="/expires_in_days"
          submission={submission}
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
        >
          {DAYS.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Choice>
        <Choice
          label="Organization"
          pointer="/organization_id"
          submission={submission}
          value={organizationId ?? ''}
          onChange={({ target }) => setOrganizationId(target.value === '' ? undefined : Number(target.value))}
        >
          <option value="">All my organizations</option>
          {me.organizations.map((organization) => (
            <option key={organization.id} value={organization.id}>
              Only in {organization.name}
            </option>
          ))}
        </Choice>
      </div>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Create token
        </Button>
      </DialogButtons>
    </Form>
  )
}

function Appearance({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  return (
    <>
      <Snippet label="the token" text={made.token} />
      <ShownOnce>
        It is shown only once. Everyone who has it can act as you within its scopes, so store it as a secret.
      </ShownOnce>
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </>
  )
}
