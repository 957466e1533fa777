// Approves a sign-in of the command line: enter the code, review the request, approve or refuse.
import type { DeviceRequest } from '@shipway/api'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Form, FormError, TextField } from '../../components/form.tsx'
import { Fact, Facts } from '../../components/page.tsx'
import { Failed, Loading, Notice } from '../../components/states.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useSubmission } from '../../components/use-submission.ts'
import { client } from '../../data/client.ts'
import { meQuery } from '../../data/queries.ts'
import { isNotFound } from '../../text/problem.ts'
import { SCOPE_DESCRIPTIONS } from '../../text/scopes.ts'
import styles from './auth.module.css'
import { AuthButton, AuthLayout, Fields } from './auth-layout.tsx'

const TAGLINE = 'Only approve what you started yourself.'

export function DevicePage() {
  const { user_code: code } = useSearch({ from: '/auth/device' })
  return code === undefined ? <EnterCode /> : <Question key={code} code={code} />
}

const UNKNOWN = 'This code is unknown, was already used, or has expired. Check it, or start again on the command line.'

function EnterCode({ wrong }: { readonly wrong?: string }) {
  const [code, setCode] = useState(wrong ?? '')
  const navigate = useNavigate()
  const submission = useSubmission()
  const given = code.trim()
  return (
    <AuthLayout title="Sign in on the command line" tagline={TAGLINE}>
      <Form
        label="Code of the sign-in"
        submission={submission}
        onSubmit={() => given !== '' && void navigate({ to: '/device', search: { user_code: given } })}
      >
        {wrong === undefined ? undefined : <FormError submission={{ ...submission, formError: UNKNOWN }} />}
        <Fields>
          <TextField
            label="Code"
            pointer="/user_code"
            submission={submission}
            hint="The eight letters shown by the command line."
            maxLength={20}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        </Fields>
        <AuthButton>
          <Button variant="primary" type="submit">
            Continue
          </Button>
        </AuthButton>
      </Form>
    </AuthLayout>
  )
}

function Question({ code }: { readonly code: string }) {
  const params = { user_code: code }
  const [answered, setAnswered] = useState<'approve' | 'deny'>()
  // Not fetched again: an answered request no longer exists.
  const { data, error, refetch } = useQuery({
    queryKey: ['device', code],
    queryFn: ({ signal }) => client.getDeviceRequest({ params, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const submission = useSubmission()
  const answer = async (decision: 'approve' | 'deny'): Promise<void> => {
    if (await submission.submit(() => client.answerDeviceRequest({ params, body: { decision } }))) setAnswered(decision)
  }
  if (answered !== undefined) return <Answered decision={answered} />
  if (error !== null && isNotFound(error)) return <EnterCode wrong={code} />
  return (
    <AuthLayout title="Sign in on the command line" tagline={TAGLINE}>
      {error !== null ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading what="Loading the request" />
      ) : (
        <>
          <RequestDetails request={data} />
          <FormError submission={submission} />
          <div className={styles.answers}>
            <Button variant="primary" isBusy={submission.isBusy} onClick={() => void answer('approve')}>
              Approve
            </Button>
            <Button isBusy={submission.isBusy} onClick={() => void answer('deny')}>
              Refuse
            </Button>
          </div>
        </>
      )}
    </AuthLayout>
  )
}

function RequestDetails({ request }: { readonly request: DeviceRequest }) {
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <>
      <p className="quiet">
        Approve only if you have just started this yourself, and the command line shows the same code and address.
      </p>
      {request.is_elsewhere ? (
        <Notice>
          This request comes from another network address than yours. Unless you started it on another machine, refuse
          it: someone may be trying to act as you.
        </Notice>
      ) : undefined}
      <Facts>
        <Fact term="Code">
          <span className={styles.code}>{request.user_code}</span>
        </Fact>
        <Fact term="Platform" from="the command line must show this address">
          {location.origin}
        </Fact>
        <Fact term="Requested by" from={`from the address ${request.address}`}>
          {request.client_name}
        </Fact>
        <Fact term="Requested">
          <RelativeTime at={request.created_at} />
        </Fact>
        <Fact term="Acts as" from={me.email}>
          {me.name}
        </Fact>
        <Fact term="Can">
          <ul className={styles.scopes}>
            {request.scopes.map((scope) => (
              <li key={scope}>{SCOPE_DESCRIPTIONS[scope]}</li>
            ))}
          </ul>
        </Fact>
      </Facts>
    </>
  )
}

const ANSWERED = {
  approve: { title: 'You are signed in', words: 'Go back to the command line. You can close this page.' },
  deny: { title: 'Sign-in refused', words: 'The command line gets no access. You can close this page.' },
} as const

function Answered({ decision }: { readonly decision: 'approve' | 'deny' }) {
  const { title, words } = ANSWERED[decision]
  return (
    <AuthLayout title={title} tagline={TAGLINE}>
      <p role="status">{words}</p>
    </AuthLayout>
  )
}
