// Changes the name or the password of whoever calls.
import { sameEmailKey } from '@shipway/api/values/email'
import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import { InvalidCredentials } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import type { KnownDevice } from '../../secrets/known-device.ts'
import { deletePasswordResetsOf } from '../../store/credentials/password-resets.ts'
import {
  type Account,
  findAccount,
  findProfile,
  lockAccount,
  type Profile,
  updateUser,
} from '../../store/people/users.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { audit } from '../audit.ts'
import { checkPassword } from '../credentials/check-password.ts'
import { choosePassword } from '../credentials/choose-password.ts'
import { endEverySignIn } from '../credentials/end-every-sign-in.ts'
import { required } from '../required.ts'

type MyChanges = {
  readonly name?: string | undefined
  readonly password?: { readonly current: string; readonly new: string } | undefined
}

/** `device`: the browser, where the caller has signed in before. */
export async function updateMe(
  ctx: Context,
  actor: Actor,
  { device, ...changes }: MyChanges & { readonly device: KnownDevice | undefined },
): Promise<Profile> {
  const account = required(await findAccount(ctx.db, actor.userId), 'user')
  const passwordHash = await newPasswordHash(ctx, actor, { account, changes, device })
  return ctx.db.transaction().execute(async (db) => {
    if (passwordHash !== undefined) await endOtherSignIns(db, actor, account)
    await updateUser(db, actor.userId, {
      ...(changes.name !== undefined && { name: changes.name }),
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
    })
    await audit(ctx, db, actor, {
      organizationId: null,
      action: 'user.updated',
      target: { kind: 'user', id: actor.userId, name: account.name },
      fields: Object.keys(changes),
    })
    return required(await findProfile(db, actor.userId), 'user')
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

/** Whoever has come in with the old password goes, and so does a link that was mailed for it. */
async function endOtherSignIns(db: Kysely<Tables>, { userId, credential }: Actor, account: Account): Promise<void> {
  if (!(await lockAccount(db, account))) throw InvalidCredentials()
  await endEverySignIn(db, userId, { exceptSession: credential.kind === 'session' ? credential.id : undefined })
  await deletePasswordResetsOf(db, userId)
}
