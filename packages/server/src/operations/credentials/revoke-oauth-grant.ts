// Ends one sign-in of the command line with all its tokens: asked for by its holder, or because a used token came back.
import type { Context } from '../../context.ts'
import type { Origin } from '../../domain/people/actor.ts'
import { OAUTH_CLIENT } from '../../domain/people/oauth.ts'
import { insertAuditEvent } from '../../store/audit-events.ts'
import { deleteOauthGrant, findOauthGrantOwner } from '../../store/credentials/oauth-records.ts'

export type Revocation = {
  readonly grantDigest: string
  readonly action: 'oauth.revoked' | 'oauth.reuse_detected'
  readonly origin: Origin
}

export async function revokeOauthGrant(ctx: Context, { grantDigest, action, origin }: Revocation): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    const owner = await findOauthGrantOwner(db, grantDigest)
    // Several requests may find the same thing out at once; the one that takes the grant away tells of it.
    if (!(await deleteOauthGrant(db, grantDigest))) return
    await insertAuditEvent(db, {
      actor: owner,
      origin,
      organizationId: null,
      action,
      target: { kind: 'oauth_grant', id: null, name: OAUTH_CLIENT.name },
      at: ctx.clock(),
    })
  })
}
