// Signing in, and on to where somebody wanted to go.
import { ApiError, localPath } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CodeField } from '../../components/code-field.tsx'
import { Form, FormFault, TextField } from '../../components/form.tsx'
import { Notice } from '../../components/states.tsx'
import { useSending } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { Door, DoorAct, Fields } from './auth-layout.tsx'
import { ProviderSignIn } from './provider-sign-in.tsx'
import { setUpQuery } from './set-up-query.ts'
import { enter } from './start-session.ts'

export function SignInPage() {
  const { next } = useSearch({ from: '/doors/sign-in' })
  const { data: setUp } = useQuery(setUpQuery)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isSecondStep, setSecondStep] = useState(false)
  const sending = useSending(['/email', '/password'])
  // A token that came here on the way to another page goes on with it.
  const goOn = (): void => enter(localPath(next) + location.hash)
  const signIn = async (): Promise<void> => {
    try {
      await client.signIn({ body: { email, password } })
      goOn()
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'otp_required')) throw error
      setSecondStep(true)
    }
  }
  if (isSecondStep) {
    return <CodeStep email={email} password={password} onBack={() => setSecondStep(false)} onSignedIn={goOn} />
  }
  return (
    <Door
      title="Sign in"
      under={`to ${location.host}`}
      saying="What serves stays untouched until the new one is ready."
    >
      {setUp?.is_set_up === false ? (
        <Notice>Nobody has an account here yet. Open the set-up link that the server printed when it started.</Notice>
      ) : undefined}
      <Form label="Sign in" sending={sending} onSend={() => void sending.send(signIn)}>
        <FormFault sending={sending} />
        <Fields>
          <TextField
            label="E-mail"
            pointer="/email"
            sending={sending}
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
          <TextField
            label="Password"
            pointer="/password"
            sending={sending}
            beside={
              <Link className="link small" to="/password-reset">
                Forgotten?
              </Link>
            }
            type="password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </Fields>
        <DoorAct>
          <Button look="primary" type="submit" isBusy={sending.isBusy}>
            Sign in
          </Button>
        </DoorAct>
      </Form>
      {setUp?.sign_in_provider ? <ProviderSignIn name={setUp.sign_in_provider} next={next} /> : undefined}
      <p className="tiny faint">No account? Ask an administrator of your organization for an invitation.</p>
    </Door>
  )
}

type CodeStepProps = {
  readonly email: string
  readonly password: string
  readonly onBack: () => void
  readonly onSignedIn: () => void
}

/** The password was right, and the account asks for a code. */
function CodeStep({ email, password, onBack, onSignedIn }: CodeStepProps) {
  const [otp, setOtp] = useState('')
  const sending = useSending(['/otp'])
  const signIn = async (): Promise<void> => {
    await client.signIn({ body: { email, password, otp } })
    onSignedIn()
  }
  return (
    <Door title="Sign in" under={`as ${email}`} saying="What serves stays untouched until the new one is ready.">
      <Form label="Two-factor code" sending={sending} onSend={() => void sending.send(signIn)}>
        <FormFault sending={sending} />
        <Fields>
          <CodeField sending={sending} value={otp} onValue={setOtp} hint="Or one of your recovery codes." />
        </Fields>
        <DoorAct>
          <Button look="primary" type="submit" isBusy={sending.isBusy}>
            Sign in
          </Button>
        </DoorAct>
      </Form>
      <DoorAct>
        <Button onClick={onBack}>Back</Button>
      </DoorAct>
      <p className="tiny faint">
        Lost the device and the recovery codes? A platform administrator can turn the codes off for you.
      </p>
    </Door>
  )
}
