// Reads from the records what HAProxy on one server must hold.
import type { Kysely } from 'kysely'
import type { Context } from '../../../context.ts'
import type { HaproxyState } from '../../../edge/haproxy/haproxy-state.ts'
import { type EdgeEntry, listServerRoutes } from '../../../store/environments/routes.ts'
import { listSecureDomains } from '../../../store/projects/certificates.ts'
import type { Tables } from '../../../store/tables/tables.ts'
import { openBasicAuth } from './open-basic-auth.ts'

export type HaproxyRecords = Omit<HaproxyState, 'version'>

/** `db` may be a transaction. */
export async function readHaproxyRecords(
  ctx: Pick<Context, 'box' | 'log' | 'acmeThumbprint'>,
  db: Kysely<Tables>,
  serverId: number,
): Promise<HaproxyRecords> {
  const entries = await listServerRoutes(db, serverId)
  const secure = await listSecureDomains(db, serverId)
  return {
    domains: entries.map((entry) => ({
      domain: entry.domain,
      environmentId: entry.environmentId,
      port: entry.port,
      digest: digestOfPassword(ctx, entry),
      isSecure: secure.has(entry.domain),
      isSticky: entry.isSticky,
    })),
    acmeThumbprint: ctx.acmeThumbprint,
  }
}

/** A password that cannot be decrypted matches nothing: its environment stays closed, and the others are unaffected. */
function digestOfPassword(ctx: Pick<Context, 'box' | 'log'>, entry: EdgeEntry): string | null {
  try {
    return openBasicAuth(ctx, entry)?.digest ?? null
  } catch (error) {
    ctx.log.error({ err: error, environment: entry.environmentId }, 'the password of an environment cannot be opened')
    return '0'.repeat(64)
  }
}
