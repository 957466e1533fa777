// Changes the name or the password of the caller.
import type { MyChanges } from '@shipway/api/people'
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { InvalidCredentials } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { KnownDevice } from '../../secrets/known-device.ts'
import type { Change } from '../../store/change.ts'
import { deletePasswordResetsOf } from '../../store/credentials/password-resets.ts'
import {
  type Account,
  findAccount,
  findProfile,
  lockAccount,
  type Profile,
  updateUser,
} from '../../store/people/users.ts'
import { checkPassword } from '../credentials/check-password.ts'
import { choosePassword } from '../credentials/choose-password.ts'
import { endEverySignIn } from '../credentials/end-every-sign-in.ts'
import { orNotFound } from '../or-not-found.ts'

/** `device`: the browser, where the caller has signed in before. */
export async function updateMe(
  ctx: Context,
  actor: Actor,
  { device, ...changes }: MyChanges & { readonly device: KnownDevice | undefined },
): Promise<Profile> {
  const account = orNotFound(await findAccount(ctx.db, actor.userId), 'user')
  const passwordHash = await newPasswordHash(ctx, actor, { account, changes, device })
  return ctx.change(actor, async (tx) => {
    if (passwordHash !== undefined) await endOtherSignIns(tx, actor, account)
    await updateUser(tx, actor.userId, {
      ...(changes.name !== undefined && { name: changes.name }),
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
    })
    await tx.audit({
      organizationId: null,
      action: 'user.updated',
      target: { kind: 'user', id: actor.userId, name: account.name },
      fields: Object.keys(changes),
    })
    return orNotFound(await findProfile(tx, actor.userId), 'user')
  })
}

async function newPasswordHash(
  ctx: Context,
  { origin }: Actor,
  { account, changes, device }: { account: Account; changes: MyChanges; device: KnownDevice | undefined },
): Promise<string | undefined> {
  if (!changes.password) return undefined
  const { email } = account
  const { current } = changes.password
  await checkPassword(ctx, { emailKey: sameEmailKey(email), password: current, account, origin, device })
  return choosePassword(changes.password.new, { email, name: changes.name ?? account.name }, '/password/new')
}

/** Ends the sign-ins made with the old password, and the mailed links to reset it. */
async function endOtherSignIns(tx: Change, { userId, credential }: Actor, account: Account): Promise<void> {
  if (!(await lockAccount(tx, account))) throw InvalidCredentials()
  await endEverySignIn(tx, userId, { exceptSession: credential.kind === 'session' ? credential.id : undefined })
  await deletePasswordResetsOf(tx, userId)
}
