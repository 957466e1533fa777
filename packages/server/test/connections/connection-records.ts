// Connections, put straight into the database.
import type { Insertable } from 'kysely'
import type { Tables } from '../../src/store/tables/tables.ts'
import type { Records } from '../factories.ts'

let counter = 0

export function buildConnection(
  { db, clock }: Records,
  organizationId: number,
  overrides: Partial<Insertable<Tables['connections']>> = {},
) {
  const number = ++counter
  return db
    .insertInto('connections')
    .values({
      organization_id: organizationId,
      type: 'gitea',
      name: `Connection ${number}`,
      base_url: 'https://git.example.com',
      seal_id: `connection${number}`,
      token_sealed: 'sealed',
      account: 'ada',
      status: 'active',
      created_at: clock(),
      updated_at: clock(),
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
