// Records whether a server was seen to accept its organization's ssh certificates.
import type { Context } from '../../context.ts'
import { deleteSshAccess, upsertSshAccess } from '../../store/access/ssh-access.ts'
import type { Change } from '../../store/change.ts'

type ObservedAccess = {
  readonly server: { readonly id: number }
  /** That was asked for. */
  readonly authorityKey: string | null
  /** Undefined if it was not checked. */
  readonly isSetUp: boolean | undefined
}

/** The caller has locked the server and has checked that its record still means the machine that was asked. */
export async function recordSshAccess(
  ctx: Pick<Context, 'clock'>,
  tx: Change,
  { server, authorityKey, isSetUp }: ObservedAccess,
): Promise<void> {
  if (authorityKey === null || isSetUp === undefined) return
  if (isSetUp) await upsertSshAccess(tx, { serverId: server.id, authorityKey, at: ctx.clock() })
  else await deleteSshAccess(tx, server.id)
}
