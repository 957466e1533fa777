// Where tasks ran: an environment that was moved has left what it printed on the server that it was on.
import type { Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'

type ServerOfEnvironment = { readonly environmentId: number; readonly serverId: number }

export async function hasRunOn(db: Kysely<Tables>, { environmentId, serverId }: ServerOfEnvironment): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .where('environment_id', '=', environmentId)
    .where('server_id', '=', serverId)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
