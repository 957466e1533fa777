// Counts what the whole installation holds, which is the business of its administrators alone.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demandPlatformAdmin } from '../../domain/people/permissions.ts'
import { findRecordCounts, type RecordCounts } from '../../store/record-counts.ts'

export async function countRecords(ctx: Context, actor: Actor): Promise<RecordCounts> {
  demandPlatformAdmin(actor)
  return findRecordCounts(ctx.db)
}
