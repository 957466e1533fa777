// Deleting an account, found by its e-mail: what it owned goes to somebody else.
import { useState } from 'react'
import { TextField } from '../../components/form.tsx'
import { SavedSection } from '../../components/section.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'

const idOf = async (email: string): Promise<number> => {
  const [account] = await client.findAccounts({ query: { email } })
  if (!account) throw new Error(`Nobody has an account with the address ${email}. Compare the address`)
  return account.id
}

export function UserDeletion() {
  const [email, setEmail] = useState('')
  const [newOwner, setNewOwner] = useState('')
  const submission = useSubmission(['/email', '/new_owner_id'])
  const remove = async (): Promise<void> => {
    const id = await idOf(email)
    const body = newOwner === '' ? {} : { new_owner_id: await idOf(newOwner) }
    await client.deleteUser({ params: { id }, body })
    setEmail('')
    setNewOwner('')
    showToast(`The account of ${email} is deleted`)
  }
  return (
    <SavedSection
      title="Delete an account"
      about="This cannot be undone. Sessions, tokens and ssh certificates end at once. The name stays in the audit log and beside deployments."
      action="Delete account"
      submission={submission}
      isChanged={email !== ''}
      onSave={() => void submission.submit(remove)}
    >
      <TextField
        label="E-mail of the person"
        pointer="/email"
        submission={submission}
        type="email"
        autoComplete="off"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <TextField
        label="E-mail of the new owner (needed for protected environments)"
        pointer="/new_owner_id"
        submission={submission}
        type="email"
        autoComplete="off"
        value={newOwner}
        onChange={({ target }) => setNewOwner(target.value)}
      />
    </SavedSection>
  )
}
