// Creates a personal token with no more rights than the caller has.
import type { NewToken } from '@shipway/api/people'
import { SCOPES } from '@shipway/api/route'
import type { Context } from '../../context.ts'
import { InvalidField, MissingScope, NotFound } from '../../domain/errors.ts'
import { type Actor, boundOrganization } from '../../domain/people/actor.ts'
import type { Secret } from '../../secrets/secret.ts'
import { newToken } from '../../secrets/token.ts'
import {
  countLivePersonalTokens,
  findPersonalToken,
  insertPersonalToken,
  type PersonalToken,
} from '../../store/credentials/personal-tokens.ts'
import { lockUser } from '../../store/people/users.ts'
import { orNotFound } from '../or-not-found.ts'
import { findOrganizationForUpdate } from '../people/find-organization-for-update.ts'

const MOST_LIVE_TOKENS = 100
const DAY_MS = 86_400_000

type CreatedToken = { readonly personalToken: PersonalToken; readonly token: Secret }

export async function createToken(ctx: Context, actor: Actor, asked: NewToken): Promise<CreatedToken> {
  const missing = asked.scopes.find((scope) => !actor.scopes.has(scope))
  if (missing) throw MissingScope(missing)
  const organizationId = asked.organization_id ?? boundOrganization(actor)
  if (organizationId !== null && !actor.roles.has(organizationId)) throw NotFound('organization')
  const { token, digest } = newToken('shw_pat_')
  const now = ctx.clock()
  return ctx.change(actor, async (tx) => {
    // It may have been deleted since the caller was signed in. Organizations are locked before their members.
    if (organizationId !== null) await findOrganizationForUpdate(tx, actor, organizationId)
    await lockUser(tx, actor.userId)
    if ((await countLivePersonalTokens(tx, actor.userId, now)) >= MOST_LIVE_TOKENS) throw tooManyTokens()
    const id = await insertPersonalToken(tx, {
      user_id: actor.userId,
      organization_id: organizationId,
      name: asked.name,
      token_digest: digest,
      scopes: SCOPES.filter((scope) => asked.scopes.includes(scope)).join(' '),
      created_at: now,
      expires_at: now + asked.expires_in_days * DAY_MS,
    })
    await tx.audit({
      organizationId,
      action: 'token.created',
      target: { kind: 'token', id, name: asked.name },
    })
    return { token, personalToken: orNotFound(await findPersonalToken(tx, actor, id), 'token') }
  })
}

const tooManyTokens = () =>
  InvalidField('', 'too_many', `You have ${MOST_LIVE_TOKENS} tokens already. Revoke one that you no longer need`)
