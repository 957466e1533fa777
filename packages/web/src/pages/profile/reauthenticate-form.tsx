// Asks for password and code again before sensitive changes.
import { ApiError } from '@shipway/api'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CodeField } from '../../components/code-field.tsx'
import { DialogButtons } from '../../components/dialog.tsx'
import { Form, FormError, TextField } from '../../components/form.tsx'
import { useSubmission } from '../../components/use-submission.ts'

type Credentials = { readonly password: string; readonly otp: string }

type ReauthenticateProps = {
  readonly label: string
  readonly submitLabel: string
  readonly variant?: 'primary' | 'danger'
  /** Whether two-factor codes are on. */
  readonly hasCode?: boolean
  readonly onClose: () => void
  readonly onConfirm: (proof: Credentials) => Promise<void>
  readonly children: ReactNode
}

export function ReauthenticateForm({
  label,
  submitLabel,
  variant = 'primary',
  hasCode = true,
  onClose,
  onConfirm,
  children,
}: ReauthenticateProps) {
  const [password, setPassword] = useState('')
  const [otp, setOtp] = useState('')
  const submission = useSubmission(['/password', '/otp'])
  const prove = (): Promise<boolean> =>
    submission.submit(() => onConfirm({ password, otp }).catch(explainWrongPassword))
  return (
    <Form label={label} submission={submission} onSubmit={() => void prove()}>
      {children}
      <TextField
        label="Password"
        pointer="/password"
        submission={submission}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      {hasCode ? (
        <CodeField submission={submission} value={otp} onValue={setOtp} hint="Or one of your recovery codes." />
      ) : undefined}
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant={variant} type="submit" isBusy={submission.isBusy}>
          {submitLabel}
        </Button>
      </DialogButtons>
    </Form>
  )
}

/** The API answers “e-mail or password is wrong”; here only the password can be. */
export function explainWrongPassword(error: unknown): never {
  if (error instanceof ApiError && error.code === 'invalid_credentials') {
    throw new Error('The password is wrong', { cause: error })
  }
  throw error
}
