// Creates the first user and organization with the link that the server printed.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Form, FormError, TextField } from '../../components/form.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { startSession } from '../../data/start-session.ts'
import { EmailField, NameField, NewPassword } from './account-fields.tsx'
import { AuthLayout, AuthSubmit, Fields, IncompleteLink } from './auth-layout.tsx'
import { useFragmentToken } from './fragment-token.ts'
import { setUpQuery } from './set-up-query.ts'

const TITLE = 'Set up the platform'
const TAGLINE = 'A server, a project, a push. Then every pull request has its own address.'

export function SetUpPage() {
  const token = useFragmentToken()
  const { data: setUp } = useQuery(setUpQuery)
  if (setUp?.is_set_up) return <Done />
  if (token === undefined) {
    return (
      <AuthLayout title={TITLE} tagline={TAGLINE}>
        <IncompleteLink>Open the setup link that the server printed when it started.</IncompleteLink>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title={TITLE}
      under="This link works once. It creates the first user, a platform administrator, and the first organization."
      tagline={TAGLINE}
    >
      <SetUpForm token={token} />
      <p className="tiny faint">There is no default password and no open sign-up. Other users join by invitation.</p>
      {setUp?.sends_mail === false ? (
        <p className="tiny faint">
          No mail server is configured, so you pass invitation links on yourself, and forgotten passwords cannot be
          reset. To send mails, set <code>SHIPWAY_SMTP_URL</code> and restart the server.
        </p>
      ) : undefined}
    </AuthLayout>
  )
}

function SetUpForm({ token }: { readonly token: string }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [organization, setOrganization] = useState('')
  const submission = useSubmission(['/name', '/email', '/password', '/organization'])
  const setUp = async (): Promise<void> => {
    const isDone = await submission.submit(() => client.setUp({ body: { token, name, email, password, organization } }))
    if (isDone) startSession('/')
  }
  return (
    <Form label={TITLE} submission={submission} onSubmit={() => void setUp()}>
      <FormError submission={submission} />
      <Fields>
        <NameField value={name} onValue={setName} submission={submission} />
        <EmailField value={email} onValue={setEmail} submission={submission} />
        <NewPassword value={password} onValue={setPassword} submission={submission} />
        <TextField
          label="Organization"
          pointer="/organization"
          submission={submission}
          hint="Its members can see your projects. You can add more later."
          autoComplete="organization"
          value={organization}
          onChange={({ target }) => setOrganization(target.value)}
        />
      </Fields>
      <AuthSubmit submission={submission}>Set up</AuthSubmit>
    </Form>
  )
}

function Done() {
  return (
    <AuthLayout title={TITLE} tagline={TAGLINE}>
      <p>
        This platform is already set up. The setup link works only once.{' '}
        <Link className="link" to="/sign-in">
          Sign in
        </Link>
      </p>
      <p className="quiet small">
        If you have no account here, ask an administrator of an organization for an invitation.
      </p>
    </AuthLayout>
  )
}
