// Ends one sign-in of the command line with all its tokens: asked for by its holder, or because a used token came back.
import type { Context } from '../../context.ts'
import { anonymous, type Origin } from '../../domain/people/actor.ts'
import { OAUTH_CLIENT } from '../../domain/people/oauth.ts'
import { deleteOauthGrant, findOauthGrantOwner } from '../../store/credentials/oauth-records.ts'

export type Revocation = {
  readonly grantDigest: string
  readonly action: 'oauth.revoked' | 'oauth.reuse_detected'
  readonly origin: Origin
}

export async function revokeOauthGrant(ctx: Context, { grantDigest, action, origin }: Revocation): Promise<void> {
  await ctx.change(anonymous(origin), async (tx) => {
    const owner = await findOauthGrantOwner(tx, grantDigest)
    // Several requests may notice it at once; only the one that deletes the grant records it.
    if (!(await deleteOauthGrant(tx, grantDigest))) return
    await tx.audit(
      {
        organizationId: null,
        action,
        target: { kind: 'oauth_grant', id: null, name: OAUTH_CLIENT.name },
      },
      owner && { userId: owner.userId, name: owner.name, origin },
    )
  })
}
