// Makes the first user, a platform administrator, with the first organization; once, and only with the set-up token.
import { timingSafeEqual } from 'node:crypto'
import { sameEmailKey } from '@shipway/api/values/email'
import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import { InvalidSetUpLink, SetUpDone } from '../../domain/errors.ts'
import { digestOf } from '../../secrets/token.ts'
import { insertAuditEvent } from '../../store/audit-events.ts'
import { insertMember } from '../../store/people/memberships.ts'
import { insertOrganization } from '../../store/people/organizations.ts'
import { countUsers, findProfile, insertUser } from '../../store/people/users.ts'
import { deleteSetting, findSetting } from '../../store/settings.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { required } from '../required.ts'
import { choosePassword } from './choose-password.ts'
import { type Caller, createSession } from './create-session.ts'
import type { SignedIn } from './sign-in.ts'

type FirstUser = {
  readonly token: string
  readonly name: string
  readonly email: string
  readonly password: string
  readonly organization: string
}

export async function setUp(ctx: Context, first: FirstUser, caller: Caller): Promise<SignedIn> {
  if ((await countUsers(ctx.db)) > 0) throw SetUpDone()
  const digest = digestOf(first.token)
  const offered = await findSetting(ctx.db, 'setup_token_digest')
  if (offered === undefined || !timingSafeEqual(Buffer.from(digest), Buffer.from(offered))) throw InvalidSetUpLink()
  const passwordHash = await choosePassword(first.password, first)
  return ctx.db.transaction().execute(async (db) => {
    await takeOffer(db, digest)
    const { name, email } = first
    const user = { id: await insertFirstUser(ctx, db, { ...first, passwordHash }), name, email }
    const organizationId = await insertOrganization(db, { name: first.organization, created_at: ctx.clock() })
    await insertMember(db, {
      organization_id: organizationId,
      user_id: user.id,
      role: 'owner',
      created_at: ctx.clock(),
    })
    await insertAuditEvent(db, {
      actor: { userId: user.id, name: user.name },
      origin: caller.origin,
      organizationId,
      action: 'organization.created',
      target: { kind: 'organization', id: organizationId, name: first.organization },
      at: ctx.clock(),
    })
    const session = await createSession(ctx, db, { user, caller })
    return { session, profile: required(await findProfile(db, user.id), 'user') }
  })
}

/** The offer can be taken away once: of two at the same time, the other finds it gone and a user there. */
async function takeOffer(db: Kysely<Tables>, digest: string): Promise<void> {
  const isTaken = await deleteSetting(db, 'setup_token_digest', digest)
  if ((await countUsers(db)) > 0) throw SetUpDone()
  if (!isTaken) throw InvalidSetUpLink()
}

function insertFirstUser(
  ctx: Context,
  db: Kysely<Tables>,
  { name, email, passwordHash }: FirstUser & { passwordHash: string },
): Promise<number> {
  return insertUser(db, {
    name,
    email,
    email_key: sameEmailKey(email),
    password_hash: passwordHash,
    is_platform_admin: 1,
    created_at: ctx.clock(),
  })
}
