// Creates the first user, a platform administrator, with the first organization; once, and only with the set-up token.
import { timingSafeEqual } from 'node:crypto'
import type { FirstUser } from '@shipway/api/people'
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { InvalidSetUpLink, SetUpDone } from '../../domain/errors.ts'
import { anonymous } from '../../domain/people/actor.ts'
import { digestOf } from '../../secrets/token.ts'
import type { Change } from '../../store/change.ts'
import { insertMember } from '../../store/people/memberships.ts'
import { insertOrganization } from '../../store/people/organizations.ts'
import { countUsers, findProfile, insertUser } from '../../store/people/users.ts'
import { deleteSetting, findSetting } from '../../store/settings.ts'
import { orNotFound } from '../or-not-found.ts'
import { choosePassword } from './choose-password.ts'
import { type Caller, createSession } from './create-session.ts'
import type { SignedIn } from './sign-in.ts'

export async function setUp(ctx: Context, first: FirstUser, caller: Caller): Promise<SignedIn> {
  if ((await countUsers(ctx.db)) > 0) throw SetUpDone()
  const digest = digestOf(first.token)
  const offered = await findSetting(ctx.db, 'setup_token_digest')
  if (offered === undefined || !timingSafeEqual(Buffer.from(digest), Buffer.from(offered))) throw InvalidSetUpLink()
  const passwordHash = await choosePassword(first.password, first)
  return ctx.change(anonymous(caller.origin), async (tx) => {
    await takeOffer(tx, digest)
    const { name, email } = first
    const user = { id: await insertFirstUser(ctx, tx, { ...first, passwordHash }), name, email }
    const organizationId = await insertOrganization(tx, { name: first.organization, created_at: ctx.clock() })
    await insertMember(tx, {
      organization_id: organizationId,
      user_id: user.id,
      role: 'owner',
      created_at: ctx.clock(),
    })
    await tx.audit(
      {
        organizationId,
        action: 'organization.created',
        target: { kind: 'organization', id: organizationId, name: first.organization },
      },
      { userId: user.id, name: user.name, origin: caller.origin },
    )
    const session = await createSession(ctx, tx, { user, caller })
    return { session, profile: orNotFound(await findProfile(tx, user.id), 'user') }
  })
}

/** The token can be redeemed once: of two concurrent requests, the second finds it used. */
async function takeOffer(tx: Change, digest: string): Promise<void> {
  const isTaken = await deleteSetting(tx, 'setup_token_digest', digest)
  if ((await countUsers(tx)) > 0) throw SetUpDone()
  if (!isTaken) throw InvalidSetUpLink()
}

function insertFirstUser(
  ctx: Context,
  tx: Change,
  { name, email, passwordHash }: FirstUser & { passwordHash: string },
): Promise<number> {
  return insertUser(tx, {
    name,
    email,
    email_key: sameEmailKey(email),
    password_hash: passwordHash,
    is_platform_admin: 1,
    created_at: ctx.clock(),
  })
}
