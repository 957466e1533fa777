// The token of a link. It stands behind the #, which a browser sends to nobody; once it is read it leaves the address, so that it stays in
// no history and on no screen.
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

export function useFragmentToken(): string | undefined {
  const { history } = useRouter()
  const [token] = useState(() => tokenIn(location.hash))
  useEffect(() => {
    if (tokenIn(location.hash) !== undefined) history.replace(location.pathname + location.search)
  }, [history])
  return token
}

/** The fragment with which the token goes on to another page. */
export const fragmentOf = (token: string): string => `token=${encodeURIComponent(token)}`

const tokenIn = (fragment: string): string | undefined =>
  new URLSearchParams(fragment.slice(1)).get('token') ?? undefined
