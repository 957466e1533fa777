// What the records say about the edge of one server.
import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import type { EdgeState } from '../../edge/haproxy/haproxy-state.ts'
import { type EdgeEntry, listServerRoutes } from '../../store/environments/routes.ts'
import { listSecureDomains } from '../../store/projects/certificates.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { openBasicAuth } from './open-basic-auth.ts'

export type EdgeRecords = Omit<EdgeState, 'version'>

/** `db` may be a transaction. */
export async function readEdgeRecords(
  ctx: Pick<Context, 'box' | 'log' | 'acmeThumbprint'>,
  db: Kysely<Tables>,
  serverId: number,
): Promise<EdgeRecords> {
  const entries = await listServerRoutes(db, serverId)
  const secure = await listSecureDomains(db, serverId)
  return {
    domains: entries.map((entry) => ({
      domain: entry.domain,
      environmentId: entry.environmentId,
      port: entry.port,
      digest: digestOfPassword(ctx, entry),
      isSecure: secure.has(entry.domain),
    })),
    acmeThumbprint: ctx.acmeThumbprint,
  }
}

/** A password that cannot be opened is one that nobody has: its environment stays closed, and no other is touched by it. */
function digestOfPassword(ctx: Pick<Context, 'box' | 'log'>, entry: EdgeEntry): string | null {
  try {
    return openBasicAuth(ctx, entry)?.digest ?? null
  } catch (error) {
    ctx.log.error({ err: error, environment: entry.environmentId }, 'the password of an environment cannot be opened')
    return '0'.repeat(64)
  }
}
