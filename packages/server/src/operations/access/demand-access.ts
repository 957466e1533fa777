// Finds out whether people can be let in at a server: by the records, or by asking the server where they do not say so yet.
import type { Context } from '../../context.ts'
import { NoSshHere, SshNotSetUp } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { isAccessSetUp } from '../../store/access/ssh-access.ts'
import { findServer, lockServer, type Server } from '../../store/servers/servers.ts'
import { noteAccess } from './note-access.ts'

/** Throws SshNotSetUp with what to do; ServerNotReached and ServerTimeout where the server had to be asked. */
export async function demandAccess(ctx: Context, actor: Actor, server: Server): Promise<void> {
  const { peopleAuthorityKey: authorityKey } = server
  if (server.connection === 'local') throw NoSshHere(server.name)
  if (await isAccessSetUp(ctx.db, server.id)) return
  // Somebody may just have run the line: then nobody has to check the server first.
  const mayBe = server.hasSignedIn && authorityKey !== null
  const isSetUp = mayBe && (await ctx.access.isSetUp(server, authorityKey))
  if (!isSetUp) throw SshNotSetUp(server.name, ctx.servers.setUpLine(server))
  await ctx.change(actor, async (tx) => {
    await lockServer(tx, server.id)
    const current = await findServer(tx, actor, server.id)
    // Not where the record has come to mean another machine meanwhile, or is gone.
    if (!current || PLACE.some((field) => current[field] !== server[field])) return
    await noteAccess(ctx, tx, { server, authorityKey, isSetUp })
  })
}

const PLACE = ['hostname', 'port', 'unixUser', 'hostKey'] as const
