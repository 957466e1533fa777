// Counts the records of the whole installation, for its administrators.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demandPlatformAdmin } from '../../domain/people/permissions.ts'
import { findRecordCounts, type RecordCounts } from '../../store/record-counts.ts'

export async function countRecords(ctx: Context, actor: Actor): Promise<RecordCounts> {
  demandPlatformAdmin(actor)
  return findRecordCounts(ctx.db)
}
