// A change of whoever is signed in, with the password asked for once more, and with a code where the account has one.
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { KnownDevice } from '../../secrets/known-device.ts'
import type { Change } from '../../store/change.ts'
import { findAccount } from '../../store/people/users.ts'
import { checkPassword } from '../credentials/check-password.ts'
import { required } from '../required.ts'
import { changeAsProven } from './change-as-proven.ts'

export type Proof = {
  readonly password: string
  readonly otp: string | undefined
  readonly device: KnownDevice | undefined
}

export async function changeWithProof<Result>(
  ctx: Context,
  { actor, proof }: { readonly actor: Actor; readonly proof: Proof },
  work: (tx: Change) => Promise<Result>,
): Promise<Result> {
  const found = required(await findAccount(ctx.db, actor.userId), 'user')
  const { password, otp, device } = proof
  const emailKey = sameEmailKey(found.email)
  const account = await checkPassword(ctx, { emailKey, password, account: found, origin: actor.origin, device })
  return changeAsProven(ctx, { by: actor, account, otp, device }, work)
}
