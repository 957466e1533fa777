// Accepts an invitation, as a signed-in user or with a new account.
import { ApiError, type Me } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Form, FormError, TextField } from '../../components/form.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { meQuery } from '../../data/queries.ts'
import { AuthButton, AuthLayout, Fields, IncompleteLink } from './auth-layout.tsx'
import { fragmentOf, useFragmentToken } from './fragment-token.ts'
import { NewPassword } from './new-password.tsx'
import { startSession } from './start-session.ts'

const TITLE = 'Join an organization'

export function InvitationPage() {
  const token = useFragmentToken()
  return (
    <AuthLayout title={TITLE} tagline="Every pull request has its own address, for your whole team.">
      {token === undefined ? (
        <IncompleteLink>Open the complete link of the invitation.</IncompleteLink>
      ) : (
        <Join token={token} />
      )}
    </AuthLayout>
  )
}

function Join({ token }: { readonly token: string }) {
  const { data: me, error, refetch } = useQuery(meQuery)
  if (me) return <JoinAs me={me} token={token} />
  if (error === null) return <Loading rows={2} what="Loading your account" />
  if (error instanceof ApiError && error.status === 401) return <JoinAsSomebodyNew token={token} />
  return <Failed error={error} onRetry={() => void refetch()} />
}

/** Opens the organization that was joined. */
function openJoined(before: Me | undefined, after: Me): void {
  const known = before?.organizations.map(({ id }) => id) ?? []
  const joined = after.organizations.find(({ id }) => !known.includes(id))
  startSession(joined === undefined ? '/' : `/organizations/${joined.id}`)
}

function JoinAs({ me, token }: { readonly me: Me; readonly token: string }) {
  const submission = useSubmission()
  const join = (): Promise<boolean> =>
    submission.submit(async () => openJoined(me, await client.acceptInvitation({ body: { token } })))
  return (
    <Form label={TITLE} submission={submission} onSubmit={() => void join()}>
      <p>
        You are signed in as <b>{me.name}</b>, {me.email}.
      </p>
      <FormError submission={submission} />
      <AuthButton>
        <Button variant="primary" type="submit" isBusy={submission.isBusy}>
          Join
        </Button>
      </AuthButton>
      <p className="tiny faint">
        The invitation is for one e-mail address. Is it for another account of yours?{' '}
        <SignInFirst token={token}>Sign in with that one</SignInFirst>
      </p>
    </Form>
  )
}

function JoinAsSomebodyNew({ token }: { readonly token: string }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const submission = useSubmission(['/name', '/password'])
  const join = (): Promise<boolean> =>
    submission.submit(async () =>
      openJoined(undefined, await client.acceptInvitation({ body: { token, name, password } })),
    )
  return (
    <>
      <p className="quiet">
        Do you have an account here? <SignInFirst token={token}>Sign in first</SignInFirst>. Otherwise create one:
      </p>
      <Form label={TITLE} submission={submission} onSubmit={() => void join()}>
        <FormError submission={submission} />
        <Fields>
          <TextField
            label="Your name"
            pointer="/name"
            submission={submission}
            autoComplete="name"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <NewPassword value={password} onValue={setPassword} submission={submission} />
        </Fields>
        <AuthButton>
          <Button variant="primary" type="submit" isBusy={submission.isBusy}>
            Join
          </Button>
        </AuthButton>
      </Form>
    </>
  )
}

/** Hands the token on in the fragment, which is never sent to a server. */
const SignInFirst = ({ token, children }: { readonly token: string; readonly children: string }) => (
  <Link className="link" to="/sign-in" search={{ next: '/invitation' }} hash={fragmentOf(token)}>
    {children}
  </Link>
)
