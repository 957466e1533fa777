// The keys by which projects read their repositories, as they stand in rows of projects.
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'

/** Whether a public key, given as its type and its bytes, is one of them. A comment stands behind those that are kept. */
export async function isRepositoryKey(db: Kysely<Tables>, publicKey: string): Promise<boolean> {
  const { rows } = await sql`select 1 from projects where repository_public_key = ${publicKey}
    or substr(repository_public_key, 1, ${publicKey.length + 1}) = ${`${publicKey} `} limit 1`.execute(db)
  return rows.length > 0
}
