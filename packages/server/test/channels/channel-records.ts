// Channels, put straight into the database.
import type { Insertable } from 'kysely'
import type { Tables } from '../../src/store/tables/tables.ts'
import type { Records } from '../factories.ts'

let counter = 0

export function buildChannel(
  { db, clock }: Records,
  organizationId: number,
  overrides: Partial<Insertable<Tables['channels']>> = {},
) {
  return db
    .insertInto('channels')
    .values({
      organization_id: organizationId,
      type: 'mail',
      name: 'On call',
      recipient: 'oncall@example.com',
      seal_id: `channel${++counter}`,
      events: JSON.stringify(['alert.opened', 'alert.resolved']),
      severities: JSON.stringify(['warning', 'critical']),
      created_at: clock(),
      updated_at: clock(),
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
