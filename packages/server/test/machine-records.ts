// What servers of tests have of their machines.
import type { Insertable } from 'kysely'
import type { Context } from '../src/context.ts'
import { newPrincipal } from '../src/secrets/principal.ts'
import { findOwnMachine, insertMachine } from '../src/store/servers/machines.ts'
import type { Tables } from '../src/store/tables/tables.ts'

type Records = Pick<Context, 'db' | 'clock'>

/** Of a server that is set up and was met. */
export async function machineColumns(ctx: Records, organizationId: number, connection: 'ssh' | 'local' = 'ssh') {
  return {
    principal: newPrincipal(organizationId),
    machine_id: connection === 'local' ? await findOwnMachine(ctx.db) : await insertMachine(ctx.db, organizationId),
    signed_in_at: ctx.clock(),
  }
}

/** Ports of a server, as if they had been allocated there. */
export async function buildPorts(
  ctx: Records,
  serverId: number,
  rows: readonly Omit<Insertable<Tables['ports']>, 'server_id' | 'machine_id'>[],
): Promise<void> {
  const server = ctx.db.selectFrom('servers').where('id', '=', serverId).select('machine_id')
  const of = { server_id: serverId, ...(await server.executeTakeFirstOrThrow()) }
  await ctx.db
    .insertInto('ports')
    .values(rows.map((row) => ({ ...of, ...row })))
    .execute()
}
