// Deleting one's own account, with the password once more.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Section } from '../../components/section.tsx'
import { client } from '../../data/client.ts'
import { enter } from '../auth/start-session.ts'
import { guardedNames } from '../organization/new-owner.tsx'
import { ProofForm } from './reauthenticate-form.tsx'
import { secondFactorQuery } from './second-factor-query.ts'

export function AccountDeletion() {
  const [isAsked, setAsked] = useState(false)
  const { data: codes } = useQuery(secondFactorQuery)
  const close = (): void => setAsked(false)
  return (
    <Section
      title="Delete account"
      about="This cannot be undone. Your name stays in the audit log and beside what you deployed."
    >
      <Button look="danger" onClick={() => setAsked(true)}>
        Delete account…
      </Button>
      <Dialog title="Delete your account" isOpen={isAsked} onClose={close}>
        <ProofForm
          label="Delete your account"
          act="Delete account"
          look="danger"
          hasCode={codes?.is_on ?? false}
          onClose={close}
          onProof={async ({ password, otp }) => {
            await client.deleteMe({ body: { password, ...(otp !== '' && { otp }) } }).catch(sayWhatToTransfer)
            enter('/sign-in')
          }}
        >
          <p className="small">
            Sessions, tokens and ssh certificates end at once. An owner of each organization takes over what you own.
          </p>
        </ProofForm>
      </Dialog>
    </Section>
  )
}

function sayWhatToTransfer(error: unknown): never {
  const names = guardedNames(error)
  if (names.length === 0) throw error
  throw new Error(
    `You own protected environments: ${names.join(', ')}. Leave their organization first and name a new owner`,
    {
      cause: error,
    },
  )
}
