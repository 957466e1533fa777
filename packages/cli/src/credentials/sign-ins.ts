// Saves a sign-in after login, and deletes it at logout or when the platform has ended it.
import { type Credentials, readCredentials, type SignIn, writeCredentials } from './credentials-file.ts'
import { withLock } from './lock.ts'

/** Returns the sign-in that it replaces. */
export function saveSignIn(file: string, instance: string, signIn: SignIn): Promise<SignIn | undefined> {
  return withLock(file, async () => {
    const { instances } = await readCredentials(file)
    await writeCredentials(file, { current: instance, instances: { ...instances, [instance]: signIn } })
    return instances[instance]
  })
}

/** Returns the deleted sign-in. */
export function deleteSignIn(file: string, instance: string): Promise<SignIn | undefined> {
  return withLock(file, async () => {
    const credentials = await readCredentials(file)
    const signIn = credentials.instances[instance]
    if (signIn) await writeCredentials(file, withoutInstance(credentials, instance))
    return signIn
  })
}

export function withoutInstance({ current, instances }: Credentials, instance: string): Credentials {
  const left = Object.fromEntries(Object.entries(instances).filter(([name]) => name !== instance))
  return { current: current === instance ? Object.keys(left)[0] : current, instances: left }
}
