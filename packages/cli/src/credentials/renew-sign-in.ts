// A sign-in whose access token has ended gets the next one.
import type { SignIn } from './credentials-file.ts'
import { useRefreshToken } from './use-refresh-token.ts'

/** `spent` is the access token that the caller knows to be no good any more. */
export const renewSignIn = (file: string, instance: string, spent: string): Promise<SignIn> =>
  useRefreshToken(file, {
    instance,
    isDone: (signIn) => signIn.access_token !== spent,
    keep: (_before, answer) => answer,
  })
