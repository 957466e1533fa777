// Password and code, asked for once more before something that a stranger at an open browser must not be able to do.
import { ApiError } from '@shipway/api'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CodeField } from '../../components/code-field.tsx'
import { DialogActs } from '../../components/dialog.tsx'
import { Form, FormFault, TextField } from '../../components/form.tsx'
import { useSending } from '../../components/use-submission.ts'

type Proof = { readonly password: string; readonly otp: string }

type ProofFormProps = {
  readonly label: string
  readonly act: string
  readonly look?: 'primary' | 'danger'
  /** Whether two-factor codes are on. */
  readonly hasCode?: boolean
  readonly onClose: () => void
  readonly onProof: (proof: Proof) => Promise<void>
  readonly children: ReactNode
}

export function ProofForm({
  label,
  act,
  look = 'primary',
  hasCode = true,
  onClose,
  onProof,
  children,
}: ProofFormProps) {
  const [password, setPassword] = useState('')
  const [otp, setOtp] = useState('')
  const sending = useSending(['/password', '/otp'])
  const prove = (): Promise<boolean> => sending.send(() => onProof({ password, otp }).catch(sayWhichPassword))
  return (
    <Form label={label} sending={sending} onSend={() => void prove()}>
      {children}
      <TextField
        label="Password"
        pointer="/password"
        sending={sending}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      {hasCode ? (
        <CodeField sending={sending} value={otp} onValue={setOtp} hint="Or one of your recovery codes." />
      ) : undefined}
      <FormFault sending={sending} />
      <DialogActs>
        <Button onClick={onClose}>Cancel</Button>
        <Button look={look} type="submit" isBusy={sending.isBusy}>
          {act}
        </Button>
      </DialogActs>
    </Form>
  )
}

/** The platform says that e-mail or password is wrong; here it can only be the one. */
export function sayWhichPassword(error: unknown): never {
  if (error instanceof ApiError && error.code === 'invalid_credentials') {
    throw new Error('The password is wrong', { cause: error })
  }
  throw error
}
