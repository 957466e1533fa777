/**
 * A sign-in whose access token has ended gets the next one. A refresh token is good for one use: whoever uses it a second
 * time ends the whole sign-in, for all. So it is used under the lock, by the first process that comes; the others find the
 * new tokens in the file.
 */
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { readCredentials, type SignIn, writeCredentials } from './credentials-file.ts'
import { without } from './keep-sign-in.ts'
import { holdingLock } from './lock.ts'
import { OauthRefusal, renewTokens } from './oauth.ts'

/** `spent` is the access token that the caller knows to be no good any more. */
export function renewSignIn(file: string, instance: string, spent: string): Promise<SignIn> {
  return holdingLock(file, async () => {
    const credentials = await readCredentials(file)
    const signIn = credentials.instances[instance]
    if (!signIn) throw SignInEnded(instance)
    if (signIn.access_token !== spent) return signIn
    try {
      const renewed = await renewTokens(instance, signIn)
      await writeCredentials(file, { ...credentials, instances: { ...credentials.instances, [instance]: renewed } })
      return renewed
    } catch (error) {
      // Nothing else ends a sign-in: a platform that is away, restarts or has a bad day says other things, or none.
      if (!(error instanceof OauthRefusal) || error.error !== 'invalid_grant') throw error
      await writeCredentials(file, without(credentials, instance))
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
