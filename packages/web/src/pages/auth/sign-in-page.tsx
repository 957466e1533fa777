// Sign-in page; returns to the page that required it.
import { ApiError, localPath } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CodeField } from '../../components/code-field.tsx'
import { Form, FormError, TextField } from '../../components/form.tsx'
import { Notice } from '../../components/states.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { startSession } from '../../data/start-session.ts'
import { EmailField } from './account-fields.tsx'
import { AuthButton, AuthLayout, AuthSubmit, Fields } from './auth-layout.tsx'
import { setUpQuery } from './set-up-query.ts'

export function SignInPage() {
  const { next } = useSearch({ from: '/auth/sign-in' })
  const { data: setUp } = useQuery(setUpQuery)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isSecondStep, setSecondStep] = useState(false)
  const submission = useSubmission(['/email', '/password'])
  // Passes the token of a link on to its page.
  const goOn = (): void => startSession(localPath(next) + location.hash)
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
    <AuthLayout
      title="Sign in"
      under={`to ${location.host}`}
      tagline="The live version stays untouched until the new one is ready."
    >
      {setUp?.is_set_up === false ? (
        <Notice>This platform is not set up yet. Open the setup link that the server printed when it started.</Notice>
      ) : undefined}
      <Form label="Sign in" submission={submission} onSubmit={() => void submission.submit(signIn)}>
        <FormError submission={submission} />
        <Fields>
          <EmailField value={email} onValue={setEmail} submission={submission} />
          <TextField
            label="Password"
            pointer="/password"
            submission={submission}
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
        <AuthSubmit submission={submission}>Sign in</AuthSubmit>
      </Form>
      {setUp?.sign_in_provider ? <ProviderSignIn name={setUp.sign_in_provider} next={next} /> : undefined}
      <p className="tiny faint">No account? Ask an administrator of your organization for an invitation.</p>
    </AuthLayout>
  )
}

type CodeStepProps = {
  readonly email: string
  readonly password: string
  readonly onBack: () => void
  readonly onSignedIn: () => void
}

/** The password was correct and the account requires a code. */
function CodeStep({ email, password, onBack, onSignedIn }: CodeStepProps) {
  const [otp, setOtp] = useState('')
  const submission = useSubmission(['/otp'])
  const signIn = async (): Promise<void> => {
    await client.signIn({ body: { email, password, otp } })
    onSignedIn()
  }
  return (
    <AuthLayout
      title="Sign in"
      under={`as ${email}`}
      tagline="The live version stays untouched until the new one is ready."
    >
      <Form label="Two-factor code" submission={submission} onSubmit={() => void submission.submit(signIn)}>
        <FormError submission={submission} />
        <Fields>
          <CodeField submission={submission} value={otp} onValue={setOtp} hint="Or one of your recovery codes." />
        </Fields>
        <AuthSubmit submission={submission}>Sign in</AuthSubmit>
      </Form>
      <AuthButton>
        <Button onClick={onBack}>Back</Button>
      </AuthButton>
      <p className="tiny faint">
        Lost the device and the recovery codes? A platform administrator can turn the codes off for you.
      </p>
    </AuthLayout>
  )
}

type ProviderSignInProps = { readonly name: string; readonly next: string | undefined }

function ProviderSignIn({ name, next }: ProviderSignInProps) {
  const submission = useSubmission()
  const begin = async (): Promise<void> => {
    const { url } = await client.startProviderSignIn({ body: next === undefined ? {} : { next } })
    location.assign(url)
  }
  return (
    <div className="stack">
      <AuthButton>
        <Button isBusy={submission.isBusy} onClick={() => void submission.submit(begin)}>
          Sign in with {name}
        </Button>
      </AuthButton>
      <FormError submission={submission} />
    </div>
  )
}
