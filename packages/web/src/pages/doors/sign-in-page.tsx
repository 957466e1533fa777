// Signing in, and on to where somebody wanted to go.
import { localPath } from '@shipway/api'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Form, FormFault, TextField } from '../../components/form.tsx'
import { Notice } from '../../components/states.tsx'
import { useSending } from '../../components/use-sending.ts'
import { client } from '../../data/client.ts'
import { Door, DoorAct, Fields } from './door.tsx'
import { enter } from './enter.ts'
import { setUpQuery } from './set-up-query.ts'

export function SignInPage() {
  const { next } = useSearch({ from: '/doors/sign-in' })
  const { data: setUp } = useQuery(setUpQuery)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const sending = useSending(['/email', '/password'])
  const signIn = async (): Promise<void> => {
    const isIn = await sending.send(() => client.signIn({ body: { email, password } }))
    // A token that came here on the way to another page goes on with it.
    if (isIn) enter(localPath(next) + location.hash)
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
      <Form label="Sign in" sending={sending} onSend={() => void signIn()}>
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
      <p className="tiny faint">No account? Ask an administrator of your organization for an invitation.</p>
    </Door>
  )
}
