/**
 * A refresh token works once; using it twice ends the sign-in for all processes. So the first process uses it under the lock,
 * and the others find the next one in the file.
 */
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { readCredentials, type SignIn, writeCredentials } from './credentials-file.ts'
import { withLock } from './lock.ts'
import { OauthRefusal, renewTokens } from './oauth.ts'
import { withoutInstance } from './sign-ins.ts'

type Use = {
  readonly instance: string
  /** Whether another process has already renewed the sign-in. */
  isDone(signIn: SignIn): boolean
  /** The scope to request; the whole scope of the sign-in by default. */
  readonly scope?: string
  /** What to store of the answer. */
  keep(before: SignIn, answer: SignIn): SignIn
}

/** Returns the platform's answer, or the sign-in from the file. */
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
      // Only this ends a sign-in. An unreachable or failing platform sends other errors, or none.
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
