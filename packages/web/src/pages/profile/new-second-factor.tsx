// Turning two-factor codes on: the password, then the secret for the app and a first code of it, then the recovery codes.
import type { NewSecondFactor as Enrolment } from '@shipway/api'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CodeField } from '../../components/code-field.tsx'
import { DialogActs } from '../../components/dialog.tsx'
import { Form, FormFault, TextField } from '../../components/form.tsx'
import { Snippet } from '../../components/snippet.tsx'
import { useSending } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { QrCode } from './qr-code.tsx'
import { sayWhichPassword } from './reauthenticate-form.tsx'
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
  const sending = useSending(['/password'])
  const begin = async (): Promise<void> =>
    onEnrolment(await client.startSecondFactor({ body: { password } }).catch(sayWhichPassword))
  return (
    <Form label="Turn on two-factor codes" sending={sending} onSend={() => void sending.send(begin)}>
      <p className="small">You need an authenticator app on your phone, or a password manager that makes codes.</p>
      <TextField
        label="Password"
        pointer="/password"
        sending={sending}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <FormFault sending={sending} />
      <DialogActs>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={sending.isBusy}>
          Go on
        </Button>
      </DialogActs>
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
  const sending = useSending(['/otp'])
  const confirm = async (): Promise<void> =>
    onCodes((await client.confirmSecondFactor({ body: { otp } })).recovery_codes)
  return (
    <Form label="Turn on two-factor codes" sending={sending} onSend={() => void sending.send(confirm)}>
      <p className="small">Scan this with the app, or type the key into it. It is shown this once.</p>
      <QrCode text={enrolment.uri} label="The key as a QR code" />
      <Snippet label="the key" text={inGroups(enrolment.secret)} />
      <CodeField sending={sending} value={otp} onValue={setOtp} hint="The six digits that the app shows now." />
      <FormFault sending={sending} />
      <DialogActs>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={sending.isBusy}>
          Turn on
        </Button>
      </DialogActs>
    </Form>
  )
}

/** Easier to type; apps leave blanks out. */
const inGroups = (secret: string): string => secret.replaceAll(/.{4}(?=.)/g, '$& ')
