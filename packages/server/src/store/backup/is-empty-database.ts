// Whether a database holds anything that a restore would lose.
import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from '../tables/tables.ts'

/** A platform that was once started has written its settings; migrations alone write `oldest_release`. */
export async function isEmptyDatabase({ db, kind }: Pick<Database, 'db' | 'kind'>): Promise<boolean> {
  const names = await listTableNames(db, kind)
  if (!names.includes('schema_migrations')) return names.length === 0
  const { rows } =
    await sql`select 1 from settings where key <> 'oldest_release' union all select 1 from users limit 1`.execute(db)
  return rows.length === 0
}

async function listTableNames(db: Kysely<Tables>, kind: Database['kind']): Promise<readonly string[]> {
  const { rows } =
    kind === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(db)
      : await sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = current_schema()`.execute(db)
  return rows.map(({ name }) => name)
}
