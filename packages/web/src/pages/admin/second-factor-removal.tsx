// Turns off two-factor codes for a user who lost the device and the recovery codes.
import { useState } from 'react'
import { SavedSection } from '../../components/section.tsx'
import { showToast } from '../../components/toast.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { EmailField } from './email-field.tsx'

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
      about="Confirm who is asking, and not by e-mail: the password alone will sign that person in. The person is notified, and the audit log records it."
      submitLabel="Turn off codes"
      submission={submission}
      isChanged={email !== ''}
      waitsFor="Enter an e-mail address first"
      onSave={() => void submission.submit(remove)}
    >
      <EmailField label="E-mail" pointer="/email" submission={submission} value={email} onValue={setEmail} />
    </SavedSection>
  )
}
