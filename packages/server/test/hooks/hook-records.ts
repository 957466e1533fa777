// Webhooks that the platform sends, put straight into the database.

import { HookEvent } from '@shipway/api/hooks'
import type { Insertable } from 'kysely'
import type { Tables } from '../../src/store/tables/tables.ts'
import type { Records } from '../factories.ts'

let counter = 0

export function buildHook(
  { db, clock }: Records,
  projectId: number,
  overrides: Partial<Insertable<Tables['hooks']>> = {},
) {
  return db
    .insertInto('hooks')
    .values({
      project_id: projectId,
      url: 'https://hooks.example.com/x',
      events: JSON.stringify(HookEvent.options),
      seal_id: `seal${++counter}`,
      secret_sealed: 'sealed',
      created_at: clock(),
      updated_at: clock(),
      ...overrides,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Of a message that nothing happened for. */
export async function buildHookDelivery(
  { db, clock }: Records,
  hook: { readonly id: number; readonly project_id: number },
  overrides: Partial<Insertable<Tables['hook_deliveries']>> = {},
) {
  const message = await db
    .insertInto('hook_messages')
    .values({
      project_id: hook.project_id,
      message_id: `msg_${++counter}`,
      event: 'environment.created',
      body: '{}',
      created_at: clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return db
    .insertInto('hook_deliveries')
    .values({ hook_id: hook.id, message_id: message.id, created_at: clock(), ...overrides })
    .returningAll()
    .executeTakeFirstOrThrow()
}
