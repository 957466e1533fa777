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
  const [confirmed, setConfirmed] = useState<Confirmed>()
  if (confirmed)
    return (
      <>
        <p className="small">{describeEnded(confirmed.ended_sessions)}</p>
        <RecoveryCodes codes={confirmed.recovery_codes} onClose={onClose} />
      </>
    )
  if (enrolment) return <Confirm enrolment={enrolment} onConfirmed={setConfirmed} onClose={onClose} />
  return <Begin onEnrolment={setEnrolment} onClose={onClose} />
}

type Confirmed = Awaited<ReturnType<typeof client.confirmSecondFactor>>

function describeEnded(sessions: number): string {
  const where =
    sessions === 0 ? 'Command lines' : `${sessions} other ${sessions === 1 ? 'browser' : 'browsers'} and command lines`
  return `Two-factor codes are on. ${where} were signed out: sign in there again, with a code.`
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
  readonly onConfirmed: (confirmed: Confirmed) => void
  readonly onClose: () => void
}

function Confirm({ enrolment, onConfirmed, onClose }: ConfirmProps) {
  const [otp, setOtp] = useState('')
  const submission = useSubmission(['/otp'])
  const confirm = async (): Promise<void> => onConfirmed(await client.confirmSecondFactor({ body: { otp } }))
  return (
    <Form label="Turn on two-factor codes" submission={submission} onSubmit={() => void submission.submit(confirm)}>
      <p className="small">Scan this with the app, or enter the key. It is shown only once.</p>
      <QrCode text={enrolment.uri} label="The key as a QR code" />
      <Snippet label="the key" text={inGroups(enrolment.secret)} />
      <CodeField
        submission={submission}
        value={otp}
        onValue={setOtp}
        hint="The current six digits in the app. You are signed out everywhere else."
      />
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
