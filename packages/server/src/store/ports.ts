// Rows of ports: what the platform allots on a server. An environment keeps its ports for life, so routes survive restarts.
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

const FIRST_PORT = 20_000
const LAST_PORT = 29_999

type Wanted = { readonly serverId: number; readonly environmentId: number; readonly services: readonly string[] }

/** The port of each service, allotted where it has none yet; undefined where the server has no port left. */
export async function allotPorts(
  database: Kysely<Tables>,
  wanted: Wanted,
): Promise<ReadonlyMap<string, number> | undefined> {
  return database.transaction().execute(async (db) => {
    // One allotting at a time on a server.
    await sql`update servers set id = id where id = ${wanted.serverId}`.execute(db)
    await db
      .deleteFrom('ports')
      .where('environment_id', '=', wanted.environmentId)
      .where('server_id', '<>', wanted.serverId)
      .execute()
    const rows = await db.selectFrom('ports').where('server_id', '=', wanted.serverId).selectAll().execute()
    const taken = new Set(rows.map(({ port }) => port))
    const ports = new Map(
      rows.filter((row) => row.environment_id === wanted.environmentId).map(({ service, port }) => [service, port]),
    )
    for (const service of wanted.services) {
      if (ports.has(service)) continue
      const port = firstFree(taken)
      if (port === undefined) return undefined
      taken.add(port)
      ports.set(service, port)
      await db
        .insertInto('ports')
        .values({ server_id: wanted.serverId, environment_id: wanted.environmentId, service, port })
        .execute()
    }
    return ports
  })
}

export async function deletePorts(db: Kysely<Tables>, environmentId: number): Promise<void> {
  await db.deleteFrom('ports').where('environment_id', '=', environmentId).execute()
}

function firstFree(taken: ReadonlySet<number>): number | undefined {
  for (let port = FIRST_PORT; port <= LAST_PORT; port++) if (!taken.has(port)) return port
  return undefined
}
