// Deletes another user's account, found by its e-mail, after a confirmation that names it.
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { FormError } from '../../components/form.tsx'
import { SavedSection } from '../../components/section.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { cache } from '../../data/cache.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { EmailField } from './email-field.tsx'

type Account = Awaited<ReturnType<typeof client.findAccounts>>[number]
type Deletion = { readonly user: Account; readonly newOwner: Account | undefined }

export function UserDeletion() {
  const [email, setEmail] = useState('')
  const [newOwner, setNewOwner] = useState('')
  const [deletion, setDeletion] = useState<Deletion>()
  const submission = useSubmission(['/email', '/new_owner_id'])
  const ask = async (): Promise<void> =>
    setDeletion({ user: await findUser(email), newOwner: newOwner === '' ? undefined : await findUser(newOwner) })
  const onDeleted = (): void => {
    setDeletion(undefined)
    setEmail('')
    setNewOwner('')
  }
  return (
    <>
      <SavedSection
        title="Delete an account"
        about="Sessions, tokens and ssh certificates end immediately. The name stays in the audit log and with deployments."
        submitLabel="Delete account…"
        submission={submission}
        isChanged={email !== ''}
        waitsFor="Enter an e-mail address first"
        onSave={() => void submission.submit(ask)}
      >
        <EmailField label="E-mail" pointer="/email" submission={submission} value={email} onValue={setEmail} />
        <EmailField
          label="E-mail of the new owner (required for protected environments)"
          pointer="/new_owner_id"
          submission={submission}
          value={newOwner}
          onValue={setNewOwner}
        />
      </SavedSection>
      <Dialog title="Delete this account?" isOpen={deletion !== undefined} onClose={() => setDeletion(undefined)}>
        {deletion ? (
          <Confirmation {...deletion} onClose={() => setDeletion(undefined)} onDeleted={onDeleted} />
        ) : undefined}
      </Dialog>
    </>
  )
}

type ConfirmationProps = Deletion & { readonly onClose: () => void; readonly onDeleted: () => void }

function Confirmation({ user, newOwner, onClose, onDeleted }: ConfirmationProps) {
  const submission = useSubmission()
  const remove = async (): Promise<void> => {
    await client.deleteUser({ params: { id: user.id }, body: newOwner ? { new_owner_id: newOwner.id } : {} })
    await cache.invalidateQueries({ queryKey: keys.users })
    onDeleted()
    showToast(`The account of ${user.email} is deleted`)
  }
  return (
    <>
      <p className="quiet">
        <b>{user.name}</b>, {user.email}. This cannot be undone.{' '}
        {newOwner ? `${newOwner.name} becomes` : 'An owner of each organization becomes'} the owner of their projects
        and environments.
      </p>
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" isBusy={submission.isBusy} onClick={() => void submission.submit(remove)}>
          Delete account
        </Button>
      </DialogButtons>
    </>
  )
}

async function findUser(email: string): Promise<Account> {
  const [user] = await client.findAccounts({ query: { email } })
  if (!user) throw new Error(`No account has the address ${email}. Check the address`)
  return user
}
