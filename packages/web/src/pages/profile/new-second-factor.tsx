// Turns on two-factor codes: password, secret and first code, recovery codes.
import type { NewSecondFactor as Enrolment } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CodeField } from '../../components/code-field.tsx'
import { DialogButtons } from '../../components/dialog.tsx'
import { Form, FormError, TextField } from '../../components/form.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { QrCode } from './qr-code.tsx'
import { explainWrongPassword } from './reauthenticate-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export function NewSecondFactor({ onClose }: { readonly onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  if (enrolment) return <Confirm enrolment={enrolment} onCodes={setCodes} onClose={onClose} />
  return <Begin onEnrolment={setEnrolment} onClose={onClose} />
}

type BeginProps = { readonly onEnrolment: (enrolment: Enrolment) => void; readonly onClose: () => void }

function Begin({ onEnrolment, onClose }: BeginProps) {
  const [password, setPassword] = useState('')
  const submission = useSubmission(['/password'])
  const begin = async (): Promise<void> =>
    onEnrolment(await client.startSecondFactor({ body: { password } }).catch(explainWrongPassword))
  return (
    <Form label="Turn on two-factor codes" submission={submission} onSubmit={() => void submission.submit(begin)}>
      <p className="small">You need an authenticator app, or a password manager that generates codes.</p>
      <TextField
        label="Password"
        pointer="/password"
        submission={submission}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Continue
        </Button>
      </DialogButtons>
    </Form>
  )
}

type ConfirmProps = {
  readonly enrolment: Enrolment
  readonly onCodes: (codes: readonly string[]) => void
  readonly onClose: () => void
}

function Confirm({ enrolment, onCodes, onClose }: ConfirmProps) {
  const [otp, setOtp] = useState('')
  const submission = useSubmission(['/otp'])
  const confirm = async (): Promise<void> =>
    onCodes((await client.confirmSecondFactor({ body: { otp } })).recovery_codes)
  return (
    <Form label="Turn on two-factor codes" submission={submission} onSubmit={() => void submission.submit(confirm)}>
      <p className="small">Scan this with the app, or enter the key. It is shown only once.</p>
      <QrCode text={enrolment.uri} label="The key as a QR code" />
      <Snippet label="the key" text={inGroups(enrolment.secret)} />
      <CodeField submission={submission} value={otp} onValue={setOtp} hint="The current six digits in the app." />
      <FormError submission={submission} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Turn on
        </Button>
      </DialogButtons>
    </Form>
  )
}

/** Groups of four are easier to type; apps ignore spaces. */
const inGroups = (secret: string): string => secret.replaceAll(/.{4}(?=.)/g, '$& ')
