// Checks that a server accepts its members' ssh certificates: by the records, or else by asking the server.
import type { Context } from '../../context.ts'
import { AppError, NoSshHere, SshNotSetUp } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { isAccessSetUp } from '../../store/access/ssh-access.ts'
import { findServer, lockServer, type Server } from '../../store/servers/servers.ts'
import { recordSshAccess } from './record-ssh-access.ts'

/** Throws SshNotSetUp with what to do; ServerNotReached or ServerTimeout if the server had to be asked. */
export async function demandAccess(ctx: Context, actor: Actor, server: Server): Promise<void> {
  if (server.connection === 'local') throw NoSshHere(server.name)
  if (await isAccessSetUp(ctx.db, server.id)) return
  const { peopleAuthorityKey: authorityKey } = server
  // The set-up command may just have run: asks the server, so that no separate check is needed.
  const isSetUp = authorityKey !== null && (await askServer(ctx, server, authorityKey))
  if (!isSetUp) throw SshNotSetUp(server.name, ctx.servers.setUpLine(server))
  await ctx.change(actor, async (tx) => {
    await lockServer(tx, server.id)
    const current = await findServer(tx, actor, server.id)
    if (!current || isAnotherMachine(server, current)) return
    await recordSshAccess(ctx, tx, { server, authorityKey, isSetUp })
  })
}

/** Until the platform has signed in to a server once, every failure means the same: the server is not set up. */
async function askServer(ctx: Context, server: Server, authorityKey: string): Promise<boolean> {
  try {
    return await ctx.access.isSetUp(server, authorityKey)
  } catch (error) {
    const isNotReached = error instanceof AppError && error.code !== 'rate_limited'
    if (server.hasSignedIn || !isNotReached) throw error
    return false
  }
}

/** The record was changed while the server was asked. Signing in may have pinned the key. */
const isAnotherMachine = (asked: Server, current: Server): boolean =>
  PLACE.some((field) => current[field] !== asked[field]) ||
  (asked.hostKey !== null && current.hostKey !== asked.hostKey)

const PLACE = ['hostname', 'port', 'unixUser'] as const
