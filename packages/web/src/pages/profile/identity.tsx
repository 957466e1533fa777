// Links or unlinks the OpenID Connect provider.
import type { Identity as Appearance } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form.tsx'
import { Section } from '../../components/section.tsx'
import { Failed } from '../../components/states.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { formatDate } from '../../text/ago.ts'
import { ReauthenticateForm } from './reauthenticate-form.tsx'
import { secondFactorQuery } from './second-factor-query.ts'

/** Empty without a configured provider. */
export function Identity() {
  const { data, error, refetch } = useQuery({
    queryKey: keys.identity,
    queryFn: ({ signal }) => client.getIdentity({ signal }),
  })
  if (data === undefined) return error ? <Failed error={error} onRetry={() => void refetch()} /> : undefined
  if (data.provider === null) return undefined
  return (
    <Section title={data.provider} about="Another way to sign in, without password and code.">
      {data.is_linked ? <Linked identity={data} /> : <NotLinked provider={data.provider} />}
    </Section>
  )
}

function Linked({ identity }: { readonly identity: Appearance }) {
  const submission = useSubmission()
  const unlink = async (): Promise<void> => {
    await client.unlinkIdentity()
    await cache.invalidateQueries({ queryKey: keys.identity })
    showToast(`${identity.provider} is unlinked`)
  }
  const since = identity.linked_at === null ? '' : ` since ${formatDate(new Date(identity.linked_at))}`
  return (
    <div className="stack">
      <p className="small">
        Linked{since}
        {identity.email === null ? '' : `, as ${identity.email}`}.
      </p>
      <FormError submission={submission} />
      <div>
        <Button
          isBusy={submission.isBusy}
          disabledReason={
            identity.has_password
              ? undefined
              : 'This is your only way to sign in. Set a password first: sign out, then choose “Forgotten?” on the sign-in page'
          }
          onClick={() => void submission.submit(unlink)}
        >
          Unlink
        </Button>
      </div>
    </div>
  )
}

function NotLinked({ provider }: { readonly provider: string }) {
  const [isOpen, setOpen] = useState(false)
  const { data: factor } = useQuery(secondFactorQuery)
  const close = (): void => setOpen(false)
  return (
    <div className="stack">
      <p className="small">Not linked.</p>
      <div>
        <Button onClick={() => setOpen(true)}>Link…</Button>
      </div>
      <Dialog title={`Link ${provider}`} isOpen={isOpen} onClose={close}>
        <ReauthenticateForm
          label={`Link ${provider}`}
          submitLabel="Continue"
          hasCode={factor?.is_on === true}
          onClose={close}
          onConfirm={async ({ password, otp }) => {
            const body = otp === '' ? { password } : { password, otp }
            location.assign((await client.linkIdentity({ body })).url)
          }}
        >
          <p className="small">You continue at {provider} and return here after signing in.</p>
        </ReauthenticateForm>
      </Dialog>
    </div>
  )
}
