/**
 * A refresh token is good for one use: whoever uses it a second time ends the whole sign-in, for all. So it is used under
 * the lock, by the first process that comes; the others find the next one in the file.
 */
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { readCredentials, type SignIn, writeCredentials } from './credentials-file.ts'
import { withLock } from './lock.ts'
import { OauthRefusal, renewTokens } from './oauth.ts'
import { withoutInstance } from './sign-ins.ts'

type Use = {
  readonly instance: string
  /** Whether what the file holds by now makes it needless. */
  isDone(signIn: SignIn): boolean
  /** What to ask for; everything that the sign-in has, unless told. */
  readonly scope?: string
  /** What to keep of the answer, beside the next refresh token. */
  keep(before: SignIn, answer: SignIn): SignIn
}

/** Gives the answer of the platform, or what the file held. */
export function useRefreshToken(file: string, { instance, isDone, scope, keep }: Use): Promise<SignIn> {
  return withLock(file, async () => {
    const credentials = await readCredentials(file)
    const signIn = credentials.instances[instance]
    if (!signIn) throw SignInEnded(instance)
    if (isDone(signIn)) return signIn
    try {
      const answer = await renewTokens(instance, signIn, scope)
      const instances = { ...credentials.instances, [instance]: keep(signIn, answer) }
      await writeCredentials(file, { ...credentials, instances })
      return answer
    } catch (error) {
      // Nothing else ends a sign-in: a platform that is away, restarts or has a bad day says other things, or none.
      if (!(error instanceof OauthRefusal) || error.error !== 'invalid_grant') throw error
      await writeCredentials(file, withoutInstance(credentials, instance))
      throw SignInEnded(instance)
    }
  })
}

const SignInEnded = (instance: string): CommandError =>
  new CommandError(`Your sign-in to ${new URL(instance).host} has ended`, {
    code: 'sign_in_ended',
    exitCode: EXIT.signIn,
    advice: [`Sign in again: shipway login ${instance}`],
  })
