// Signs somebody in with e-mail and password. An unknown e-mail and a wrong password cannot be told apart.
import type { SignIn } from '@shipway/api/people'
import { Email, sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { InvalidCredentials } from '../../domain/errors.ts'
import { findAccountByEmail, findProfile, lockAccount, type Profile } from '../../store/people/users.ts'
import { required } from '../required.ts'
import { checkPassword } from './check-password.ts'
import { type Caller, createSession, type NewSession } from './create-session.ts'

export type SignedIn = { readonly session: NewSession; readonly profile: Profile }

export async function signIn(ctx: Context, { email, password }: SignIn, caller: Caller): Promise<SignedIn> {
  const written = Email.safeParse(email)
  const emailKey = sameEmailKey(written.data ?? email)
  // What is no e-mail is not asked of the database, which cannot hold every text.
  const found = written.success ? await findAccountByEmail(ctx.db, emailKey) : undefined
  const { origin, device } = caller
  const account = await checkPassword(ctx, { emailKey, password, account: found, origin, device })
  return ctx.change({ userId: account.id, name: account.name, origin }, async (tx) => {
    // A password that was changed meanwhile has ended every sign-in; this one must not outlive it.
    if (!(await lockAccount(tx, account))) throw InvalidCredentials()
    const session = await createSession(ctx, tx, { user: account, caller })
    return { session, profile: required(await findProfile(tx, account.id), 'user') }
  })
}
