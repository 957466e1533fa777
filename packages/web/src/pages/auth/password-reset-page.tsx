// Requests a password reset link, or sets a new password with one.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Form, FormError } from '../../components/form.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { EmailField, NewPassword } from './account-fields.tsx'
import { AuthLayout, AuthSubmit, Fields } from './auth-layout.tsx'
import { useFragmentToken } from './fragment-token.ts'
import { setUpQuery } from './set-up-query.ts'

const TITLE = 'Choose a new password'

export function PasswordResetPage() {
  const token = useFragmentToken()
  const { data: setUp } = useQuery(setUpQuery)
  return (
    <AuthLayout title={TITLE} tagline="The live version stays untouched until the new one is ready.">
      {token !== undefined ? (
        <Choose token={token} />
      ) : setUp && !setUp.sends_mail && !setUp.keeps_mail ? (
        <NoMail />
      ) : (
        <Ask isKept={setUp?.keeps_mail === true} />
      )}
    </AuthLayout>
  )
}

const ToSignIn = ({ children }: { readonly children: ReactNode }) => (
  <Link className="link small" to="/sign-in">
    {children}
  </Link>
)

/** `isKept`: no mail is sent; platform administrators find it in the mailbox. */
function Ask({ isKept }: { readonly isKept: boolean }) {
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const submission = useSubmission(['/email'])
  const ask = async (): Promise<void> =>
    setSent(await submission.submit(() => client.requestPasswordReset({ body: { email } })))
  if (isSent) {
    return (
      <>
        <p role="status">
          If <b>{email}</b> has an account, a mail is {isKept ? 'in the mailbox' : 'on its way'}. The link in it works
          once.
        </p>
        <ToSignIn>Back to sign-in</ToSignIn>
      </>
    )
  }
  return (
    <>
      <p className="quiet">
        {isKept
          ? 'This platform sends no mails. Platform administrators find the link in the mailbox on the Platform page.'
          : 'Enter the address of your account to get a link.'}
      </p>
      <Form label={TITLE} submission={submission} onSubmit={() => void ask()}>
        <FormError submission={submission} />
        <Fields>
          <EmailField value={email} onValue={setEmail} submission={submission} />
        </Fields>
        <AuthSubmit submission={submission}>Send link</AuthSubmit>
      </Form>
      <ToSignIn>Back to sign-in</ToSignIn>
    </>
  )
}

function NoMail() {
  return (
    <>
      <p>This platform sends no mails, so it cannot send you a link.</p>
      <p className="quiet">
        Ask its operator to set <code>SHIPWAY_SMTP_URL</code> to a mail server and to restart it, then come back to this
        page.
      </p>
      <ToSignIn>Back to sign-in</ToSignIn>
    </>
  )
}

function Choose({ token }: { readonly token: string }) {
  const [password, setPassword] = useState('')
  const [isChosen, setChosen] = useState(false)
  const submission = useSubmission(['/password'])
  const choose = async (): Promise<void> =>
    setChosen(await submission.submit(() => client.resetPassword({ body: { token, password } })))
  if (isChosen) {
    return (
      <>
        <p role="status">The password is saved. All your sessions have ended.</p>
        <ToSignIn>Sign in</ToSignIn>
      </>
    )
  }
  return (
    <Form label={TITLE} submission={submission} onSubmit={() => void choose()}>
      <FormError submission={submission} />
      <Fields>
        <NewPassword label="New password" value={password} onValue={setPassword} submission={submission} />
      </Fields>
      <AuthSubmit submission={submission}>Save password</AuthSubmit>
      <p className="tiny faint">This ends all your sessions.</p>
    </Form>
  )
}
