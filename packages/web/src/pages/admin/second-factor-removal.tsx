// Turning two-factor codes off for somebody who has lost the device and the recovery codes.
import { useState } from 'react'
import { TextField } from '../../components/form.tsx'
import { SavedSection } from '../../components/section.tsx'
import { tell } from '../../components/toast.tsx'
import { useSending } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'

export function SecondFactorRemoval() {
  const [email, setEmail] = useState('')
  const sending = useSending(['/email'])
  const remove = async (): Promise<void> => {
    await client.removeSecondFactor({ body: { email } })
    setEmail('')
    tell(`Two-factor codes are off for ${email}`)
  }
  return (
    <SavedSection
      title="Lost two-factor codes"
      about="Make sure who asks you, by another way than mail: the password alone signs that person in afterwards. The person is told, and the audit log keeps it."
      act="Turn codes off"
      sending={sending}
      isChanged={email !== ''}
      onSave={() => void sending.send(remove)}
    >
      <TextField
        label="E-mail of the person"
        pointer="/email"
        sending={sending}
        type="email"
        autoComplete="off"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
    </SavedSection>
  )
}
