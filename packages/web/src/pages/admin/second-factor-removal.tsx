// Turning two-factor codes off for somebody who has lost the device and the recovery codes.
import { useState } from 'react'
import { TextField } from '../../components/form.tsx'
import { SavedSection } from '../../components/section.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'

export function SecondFactorRemoval() {
  const [email, setEmail] = useState('')
  const submission = useSubmission(['/email'])
  const remove = async (): Promise<void> => {
    await client.removeSecondFactor({ body: { email } })
    setEmail('')
    showToast(`Two-factor codes are off for ${email}`)
  }
  return (
    <SavedSection
      title="Lost two-factor codes"
      about="Make sure who asks you, by another way than mail: the password alone signs that person in afterwards. The person is told, and the audit log keeps it."
      action="Turn codes off"
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
    </SavedSection>
  )
}
