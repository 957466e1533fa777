// Servers of tests that let in people: the authority of their organization, and that the server trusts it.
import type { Context } from '../../src/context.ts'
import { PLATFORM } from '../../src/domain/people/actor.ts'
import { createSshAuthority } from '../../src/operations/access/create-ssh-authority.ts'
import { upsertSshAccess } from '../../src/store/access/ssh-access.ts'
import { findSshAuthority } from '../../src/store/access/ssh-authorities.ts'

type Server = { readonly id: number; readonly organization_id: number }

/** Gives the public key of the authority. */
export async function buildSshAccess(ctx: Context, server: Server): Promise<string> {
  await ctx.change(PLATFORM, (tx) => createSshAuthority(ctx, tx, server.organization_id))
  const authority = await findSshAuthority(ctx.db, server.organization_id)
  const authorityKey = authority?.publicKey ?? ''
  await ctx.change(PLATFORM, (tx) => upsertSshAccess(tx, { serverId: server.id, authorityKey, at: ctx.clock() }))
  return authorityKey
}
