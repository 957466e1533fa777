// A change that asks the signed-in user for the password again, and for a code if the account has one.
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { KnownDevice } from '../../secrets/known-device.ts'
import type { Change } from '../../store/change.ts'
import { findAccount } from '../../store/people/users.ts'
import { checkPassword } from '../credentials/check-password.ts'
import { orNotFound } from '../or-not-found.ts'
import { changeWithCode } from './change-with-code.ts'

export type PasswordProof = {
  readonly password: string
  readonly otp: string | undefined
  readonly device: KnownDevice | undefined
}

export async function changeWithPassword<Result>(
  ctx: Context,
  { actor, proof }: { readonly actor: Actor; readonly proof: PasswordProof },
  work: (tx: Change) => Promise<Result>,
): Promise<Result> {
  const found = orNotFound(await findAccount(ctx.db, actor.userId), 'user')
  const { password, otp, device } = proof
  const emailKey = sameEmailKey(found.email)
  const account = await checkPassword(ctx, { emailKey, password, account: found, origin: actor.origin, device })
  return changeWithCode(ctx, { by: actor, account, otp, device }, work)
}
