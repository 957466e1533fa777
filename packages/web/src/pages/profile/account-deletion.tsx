// Deletes the user's own account after reauthentication.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Section } from '../../components/section.tsx'
import { client } from '../../data/client.ts'
import { startSession } from '../../data/start-session.ts'
import { protectedNames } from '../organization/new-owner.tsx'
import { ReauthenticateForm } from './reauthenticate-form.tsx'
import { secondFactorQuery } from './second-factor-query.ts'

export function AccountDeletion() {
  const [isOpen, setOpen] = useState(false)
  const { data: codes } = useQuery(secondFactorQuery)
  const close = (): void => setOpen(false)
  return (
    <Section
      title="Delete account"
      about="This cannot be undone. Your name stays in the audit log and with your deployments."
    >
      <Button variant="danger" onClick={() => setOpen(true)}>
        Delete account…
      </Button>
      <Dialog title="Delete your account" isOpen={isOpen} onClose={close}>
        <ReauthenticateForm
          label="Delete your account"
          submitLabel="Delete account"
          variant="danger"
          hasCode={codes?.is_on ?? false}
          onClose={close}
          onConfirm={async ({ password, otp }) => {
            await client.deleteMe({ body: { password, ...(otp !== '' && { otp }) } }).catch(explainTransfer)
            startSession('/sign-in')
          }}
        >
          <p className="small">
            Your sessions, tokens and ssh certificates end immediately. An owner of each organization takes over what
            you own.
          </p>
        </ReauthenticateForm>
      </Dialog>
    </Section>
  )
}

function explainTransfer(error: unknown): never {
  const names = protectedNames(error)
  if (names.length === 0) throw error
  throw new Error(
    `You own protected environments: ${names.join(', ')}. Leave their organization first and choose a new owner`,
    {
      cause: error,
    },
  )
}
