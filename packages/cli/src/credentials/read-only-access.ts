// The same sign-in with read-only tokens. They are kept in memory; the file keeps the full sign-in.
import type { Access } from './access.ts'
import type { SignIn } from './credentials-file.ts'
import { useRefreshToken } from './use-refresh-token.ts'

/** A personal token cannot be narrowed and is used as it is. */
export function readOnlyAccess(access: Access, file: string): Access {
  if (access.kind === 'token') return access
  const { instance } = access
  const narrow = (): Promise<SignIn> =>
    useRefreshToken(file, {
      instance,
      scope: 'read',
      isDone: () => false,
      keep: (before, { refresh_token }) => ({ ...before, refresh_token }),
    })
  let current: Promise<SignIn> | undefined
  /** Concurrent calls share one request. */
  const replace = (previous: Promise<SignIn> | undefined): Promise<SignIn> => {
    if (current === undefined || current === previous) current = narrow()
    return current
  }
  const tokenUnless = async (isSpent: (signIn: SignIn) => boolean): Promise<string> => {
    const previous = current
    // The call that made a failed request has its error; this one makes a new request.
    const signIn = await previous?.catch(() => undefined)
    return (signIn && !isSpent(signIn) ? signIn : await replace(previous)).access_token
  }
  return {
    kind: 'sign-in',
    instance,
    token: () => tokenUnless(({ expires_at }) => expires_at - MARGIN_MS < Date.now()),
    tokenAfter: (refused) => tokenUnless(({ access_token }) => access_token === refused),
  }
}

const MARGIN_MS = 30_000
