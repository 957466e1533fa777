// Creates an organization; the caller is its first owner.
import type { Context } from '../../context.ts'
import { Forbidden, TokenBound } from '../../domain/errors.ts'
import { type Actor, boundOrganization } from '../../domain/people/actor.ts'
import { SecondFactorRequired } from '../../domain/people/sign-in-errors.ts'
import { insertMember } from '../../store/people/memberships.ts'
import { insertOrganization, type Organization } from '../../store/people/organizations.ts'

export async function createOrganization(ctx: Context, actor: Actor, name: string): Promise<Organization> {
  if (boundOrganization(actor) !== null) throw TokenBound()
  if (actor.isLockedOut) throw SecondFactorRequired(ctx.config.baseUrl)
  // An owner can register servers, and the platform connects to them wherever they are.
  if (!actor.isPlatformAdmin && !ctx.config.hasOpenOrganizations) {
    throw Forbidden(
      'Only a platform administrator can make an organization here. Ask one, who can also let everybody ' +
        '(SHIPWAY_OPEN_ORGANIZATIONS=1)',
    )
  }
  const createdAt = ctx.clock()
  return ctx.change(actor, async (tx) => {
    const id = await insertOrganization(tx, { name, created_at: createdAt })
    await insertMember(tx, { organization_id: id, user_id: actor.userId, role: 'owner', created_at: createdAt })
    await tx.audit({
      organizationId: id,
      action: 'organization.created',
      target: { kind: 'organization', id, name },
    })
    return { id, name, role: 'owner', createdAt, requiresTwoFactor: false }
  })
}
