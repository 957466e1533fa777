// Callback page of the OpenID Connect provider: signs in or links the account.
import type { ProviderAnswer } from '@shipway/api'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Loading, Notice } from '../../components/states.tsx'
import { client } from '../../data/client.ts'
import { startSession } from '../../data/start-session.ts'
import { AuthLayout } from './auth-layout.tsx'

export function ProviderPage() {
  const error = useRedemption()
  return (
    <AuthLayout title="Sign in" under={`to ${location.host}`} tagline="Every pull request has its own address.">
      {error === undefined ? (
        <Loading rows={1} what="Signing in" />
      ) : (
        <>
          <div role="alert">
            <Notice tone="bad">{error.message}</Notice>
          </div>
          <Link className="link small" to="/sign-in">
            Back to sign-in
          </Link>
        </>
      )}
    </AuthLayout>
  )
}

/** The code works once, so it is sent once, also under StrictMode. */
function useRedemption(): Error | undefined {
  const { history } = useRouter()
  const [error, setError] = useState<Error>()
  const [redemption] = useState(() => client.redeemProviderSignIn({ body: answerIn(location.search) }))
  useEffect(() => {
    // Removes the code from the address and the history.
    history.replace(location.pathname)
    redemption.then(
      ({ next }) => startSession(next),
      (problem: unknown) => setError(problem instanceof Error ? problem : new Error(String(problem))),
    )
  }, [history, redemption])
  return error
}

function answerIn(search: string): ProviderAnswer {
  const query = new URLSearchParams(search)
  const given = (['code', 'iss', 'error'] as const).flatMap((key) => {
    const value = query.get(key)
    return value === null ? [] : [[key, value] as const]
  })
  return { state: query.get('state') ?? '', ...Object.fromEntries(given) }
}
