// Accepts an invitation, as a signed-in user or with a new account.
import { ApiError, type InvitationPreview, type Me } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Form, FormError } from '../../components/form.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { meQuery } from '../../data/queries.ts'
import { startSession } from '../../data/start-session.ts'
import { ROLE_DESCRIPTIONS } from '../../text/role.ts'
import { NameField, NewPassword } from './account-fields.tsx'
import styles from './auth.module.css'
import { AuthLayout, AuthSubmit, Fields, IncompleteLink } from './auth-layout.tsx'
import { fragmentOf, useFragmentToken } from './fragment-token.ts'

const TITLE = 'Join an organization'
const TAGLINE = 'Every pull request has its own address, for your whole team.'

export function InvitationPage() {
  const token = useFragmentToken()
  if (token !== undefined) return <Invited token={token} />
  return (
    <AuthLayout title={TITLE} tagline={TAGLINE}>
      <IncompleteLink>Open the complete link of the invitation.</IncompleteLink>
    </AuthLayout>
  )
}

function Invited({ token }: { readonly token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => client.previewInvitation({ body: { token }, signal }),
  })
  if (data) {
    return (
      <AuthLayout title={`Join ${data.organization}`} under={<Invitation invitation={data} />} tagline={TAGLINE}>
        <Join token={token} invitation={data} />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title={TITLE} tagline={TAGLINE}>
      {error === null ? (
        <Loading rows={2} what="Loading the invitation" />
      ) : error instanceof ApiError && error.status < 500 ? (
        <Refused error={error} />
      ) : (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
    </AuthLayout>
  )
}

function Invitation({ invitation: { invited_by, email, role } }: { readonly invitation: InvitationPreview }) {
  return (
    <>
      {invited_by} invites <b>{email}</b> as {role}.
      <span className={styles.role}>
        Role {role}: {ROLE_DESCRIPTIONS[role].replace(/^./, (letter) => letter.toLowerCase())}.
      </span>
    </>
  )
}

/** Links that were used, withdrawn or replaced, or are too old. */
function Refused({ error }: { readonly error: ApiError }) {
  return (
    <>
      <p role="alert">
        {error.status === 404
          ? 'This invitation does not exist. It was withdrawn, or a newer one replaced it. Ask for a new one.'
          : error.message}
      </p>
      <Link className="link small" to="/sign-in">
        Sign in
      </Link>
    </>
  )
}

type JoinProps = { readonly token: string; readonly invitation: InvitationPreview }

function Join({ token, invitation }: JoinProps) {
  const { data: me, error, refetch } = useQuery(meQuery)
  if (me) {
    const isForMe = me.email.toLowerCase() === invitation.email.toLowerCase()
    return isForMe ? <JoinAs me={me} token={token} /> : <OtherAccount me={me} token={token} invitation={invitation} />
  }
  if (error === null) return <Loading rows={2} what="Loading your account" />
  if (!(error instanceof ApiError) || error.status !== 401)
    return <Failed error={error} onRetry={() => void refetch()} />
  return invitation.has_account ? (
    <p>
      This address has an account. <SignInFirst token={token}>Sign in to join</SignInFirst>
    </p>
  ) : (
    <JoinAsNewUser token={token} email={invitation.email} />
  )
}

/** The invitation can only be accepted by the account with its address. */
function OtherAccount({ me, token, invitation }: JoinProps & { readonly me: Me }) {
  return (
    <p>
      You are signed in as <b>{me.name}</b>, {me.email}. The invitation is for {invitation.email}.{' '}
      <SignInFirst token={token}>Sign in with that address</SignInFirst>
    </p>
  )
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
      <AuthSubmit submission={submission}>Join</AuthSubmit>
    </Form>
  )
}

function JoinAsNewUser({ token, email }: { readonly token: string; readonly email: string }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const submission = useSubmission(['/name', '/password'])
  const join = (): Promise<boolean> =>
    submission.submit(async () =>
      openJoined(undefined, await client.acceptInvitation({ body: { token, name, password } })),
    )
  return (
    <Form label={TITLE} submission={submission} onSubmit={() => void join()}>
      <p className="quiet">Create your account for {email}:</p>
      <FormError submission={submission} />
      <Fields>
        <NameField value={name} onValue={setName} submission={submission} />
        <NewPassword value={password} onValue={setPassword} submission={submission} />
      </Fields>
      <AuthSubmit submission={submission}>Join</AuthSubmit>
    </Form>
  )
}

/** Hands the token on in the fragment, which is never sent to a server. */
const SignInFirst = ({ token, children }: { readonly token: string; readonly children: string }) => (
  <Link className="link" to="/sign-in" search={{ next: '/invitation' }} hash={fragmentOf(token)}>
    {children}
  </Link>
)
