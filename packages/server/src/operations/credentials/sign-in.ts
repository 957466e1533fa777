// Signs a user in with e-mail and password, and with a code if the account requires one. An unknown e-mail and a wrong password
// give the same error; that a code is needed is revealed only after a correct password.
import type { SignIn } from '@shipway/api/people'
import { Email, sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { findAccountByEmail, findProfile, type Profile } from '../../store/people/users.ts'
import { orNotFound } from '../or-not-found.ts'
import { changeWithCode } from '../second-factor/change-with-code.ts'
import { checkPassword } from './check-password.ts'
import { type Caller, createSession, type NewSession } from './create-session.ts'

export type SignedIn = { readonly session: NewSession; readonly profile: Profile }

export async function signIn(ctx: Context, { email, password, otp }: SignIn, caller: Caller): Promise<SignedIn> {
  const written = Email.safeParse(email)
  const emailKey = sameEmailKey(written.data ?? email)
  // Only valid e-mails reach the database, which cannot store every text.
  const found = written.success ? await findAccountByEmail(ctx.db, emailKey) : undefined
  const { origin, device } = caller
  const account = await checkPassword(ctx, { emailKey, password, account: found, origin, device })
  const by = { userId: account.id, name: account.name, origin }
  return changeWithCode(ctx, { by, account, otp, device }, async (tx) => {
    const session = await createSession(ctx, tx, { user: account, caller })
    return { session, profile: orNotFound(await findProfile(tx, account.id), 'user') }
  })
}
