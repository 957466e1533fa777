// Changes without listeners, for records that are made outside of the application.
import type { Kysely } from 'kysely'
import { createBus } from '../src/progress/bus.ts'
import { type ChangeRecords, createChangeRecords } from '../src/progress/change-records.ts'
import type { Tables } from '../src/store/tables/tables.ts'

export const quietChanges = (db: Kysely<Tables>): ChangeRecords =>
  createChangeRecords({ db, bus: createBus(), clock: Date.now, describeWebhookEvent: async () => '{}' })
