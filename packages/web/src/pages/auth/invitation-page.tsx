// Joining an organization with the link of an invitation: as somebody who is signed in, or as somebody new.
import { ApiError, type Me } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Form, FormFault, TextField } from '../../components/form.tsx'
import { Failed, Loading } from '../../components/states.tsx'
import { useSending } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { meQuery } from '../../data/queries.ts'
import { Door, DoorAct, Fields, Incomplete } from './auth-layout.tsx'
import { fragmentOf, useFragmentToken } from './fragment-token.ts'
import { NewPassword } from './new-password.tsx'
import { enter } from './start-session.ts'

const TITLE = 'Join an organization'

export function InvitationPage() {
  const token = useFragmentToken()
  return (
    <Door title={TITLE} saying="Every pull request has an address of its own. You see what your colleagues see.">
      {token === undefined ? (
        <Incomplete>Open the link of the invitation once more, as a whole.</Incomplete>
      ) : (
        <Join token={token} />
      )}
    </Door>
  )
}

function Join({ token }: { readonly token: string }) {
  const { data: me, error, refetch } = useQuery(meQuery)
  if (me) return <JoinAs me={me} token={token} />
  if (error === null) return <Loading rows={2} what="Looking who is signed in" />
  if (error instanceof ApiError && error.status === 401) return <JoinAsSomebodyNew token={token} />
  return <Failed error={error} onRetry={() => void refetch()} />
}

/** To the organization that was not there before. */
function enterJoined(before: Me | undefined, after: Me): void {
  const known = before?.organizations.map(({ id }) => id) ?? []
  const joined = after.organizations.find(({ id }) => !known.includes(id))
  enter(joined === undefined ? '/' : `/organizations/${joined.id}`)
}

function JoinAs({ me, token }: { readonly me: Me; readonly token: string }) {
  const sending = useSending()
  const join = (): Promise<boolean> =>
    sending.send(async () => enterJoined(me, await client.acceptInvitation({ body: { token } })))
  return (
    <Form label={TITLE} sending={sending} onSend={() => void join()}>
      <p>
        You are signed in as <b>{me.name}</b>, {me.email}.
      </p>
      <FormFault sending={sending} />
      <DoorAct>
        <Button look="primary" type="submit" isBusy={sending.isBusy}>
          Join
        </Button>
      </DoorAct>
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
  const sending = useSending(['/name', '/password'])
  const join = (): Promise<boolean> =>
    sending.send(async () => enterJoined(undefined, await client.acceptInvitation({ body: { token, name, password } })))
  return (
    <>
      <p className="quiet">
        Do you have an account here? <SignInFirst token={token}>Sign in first</SignInFirst>. Otherwise make one:
      </p>
      <Form label={TITLE} sending={sending} onSend={() => void join()}>
        <FormFault sending={sending} />
        <Fields>
          <TextField
            label="Your name"
            pointer="/name"
            sending={sending}
            autoComplete="name"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <NewPassword value={password} onValue={setPassword} sending={sending} />
        </Fields>
        <DoorAct>
          <Button look="primary" type="submit" isBusy={sending.isBusy}>
            Join
          </Button>
        </DoorAct>
      </Form>
    </>
  )
}

/** The token goes along behind the #, where it is sent to nobody. */
const SignInFirst = ({ token, children }: { readonly token: string; readonly children: string }) => (
  <Link className="link" to="/sign-in" search={{ next: '/invitation' }} hash={fragmentOf(token)}>
    {children}
  </Link>
)
