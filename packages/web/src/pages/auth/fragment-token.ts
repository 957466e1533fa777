// Token of a link, read from the URL fragment. Browsers never send the fragment; it is removed from the address once read.
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

/** Fragment that hands the token to another page. */
export const fragmentOf = (token: string): string => `token=${encodeURIComponent(token)}`

const tokenIn = (fragment: string): string | undefined =>
  new URLSearchParams(fragment.slice(1)).get('token') ?? undefined
