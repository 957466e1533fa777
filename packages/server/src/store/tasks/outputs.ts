// Rows of outputs: what a task printed, in chunks by their place in the whole. A chunk is written once.
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Change } from '../change.ts'
import { outputOnly } from '../output-only.ts'
import type { Tables } from '../tables/tables.ts'
import type { Lease } from './task-queue.ts'

/** Whoever reads a part of the output reads whole chunks. */
const MOST_CHUNK_BYTES = 256 * 1024

/**
 * Appends to the output of a task, be it nothing, and holds its row in the caller's transaction. Gives the length of the output
 * with that; undefined once the lease is lost.
 */
export async function insertOutput(
  tx: Change,
  { taskId, epoch }: Lease,
  bytes: Uint8Array,
): Promise<number | undefined> {
  const isAtOnce = tx.getExecutor().adapter instanceof PostgresAdapter && isOneChunk(bytes)
  const raised = sql`update tasks set output_bytes = output_bytes + ${bytes.length}
    where id = ${taskId} and epoch = ${epoch} and status = 'running' returning output_bytes`
  // One round trip where the database can do both in one statement.
  const statement = isAtOnce
    ? sql<Raised>`with raised as (${raised}), written as (
        insert into outputs (task_id, output_from, bytes)
        select ${taskId}::bigint, output_bytes - ${bytes.length}::bigint, ${bytes}::bytea from raised)
      select output_bytes from raised ${outputOnly}`
    : sql<Raised>`${raised} ${outputOnly}`
  const length = (await statement.execute(tx)).rows[0]?.output_bytes
  if (length === undefined) return undefined
  if (bytes.length > 0) tx.tell({ about: 'output', id: taskId })
  if (isAtOnce) return length
  const from = length - bytes.length
  for (let at = 0; at < bytes.length; at += MOST_CHUNK_BYTES) {
    const chunk = { task_id: taskId, output_from: from + at, bytes: bytes.subarray(at, at + MOST_CHUNK_BYTES) }
    await tx.insertInto('outputs').values(chunk).modifyEnd(outputOnly).execute()
  }
  return length
}

type Raised = { readonly output_bytes: number }

const isOneChunk = (bytes: Uint8Array): boolean => bytes.length > 0 && bytes.length <= MOST_CHUNK_BYTES

/** How long the output of a task is, and whether more may come. */
export async function findOutputOf(db: Kysely<Tables>, taskId: number) {
  return db.selectFrom('tasks').where('id', '=', taskId).select(['output_bytes as bytes', 'status']).executeTakeFirst()
}

export async function findOutputLength(db: Kysely<Tables>, taskId: number): Promise<number> {
  return (await findOutputOf(db, taskId))?.bytes ?? 0
}

/** What was printed from one place on, at most about `most` bytes: whole chunks, the first one cut at the place. */
export async function listOutput(
  db: Kysely<Tables>,
  taskId: number,
  { from, most }: { readonly from: number; readonly most: number },
): Promise<Buffer> {
  const first = db
    .selectFrom('outputs')
    .where('task_id', '=', taskId)
    .where('output_from', '<=', from)
    .select((eb) => eb.fn.max('output_from').as('start'))
  const rows = await db
    .selectFrom('outputs')
    .where('task_id', '=', taskId)
    .where('output_from', '>=', (eb) => eb.fn.coalesce(first, eb.lit(0)))
    .where('output_from', '<', from + most)
    .orderBy('output_from')
    .select(['output_from', 'bytes'])
    .execute()
  const [chunk] = rows
  if (!chunk) return Buffer.alloc(0)
  const whole = Buffer.concat(rows.map(({ bytes }) => bytes))
  return whole.subarray(from - chunk.output_from, from - chunk.output_from + most)
}

export type OutputRange = { readonly from: number; readonly to: number }

/** Where the output of the first step that failed lies; one whose end was never written goes on to the end of the task's. */
export async function findFailedOutput(db: Kysely<Tables>, taskId: number): Promise<OutputRange | undefined> {
  const row = await db
    .selectFrom('steps')
    .where('task_id', '=', taskId)
    .where('status', '=', 'failed')
    .orderBy('id')
    .select(['output_from', 'output_to'])
    .limit(1)
    .executeTakeFirst()
  if (!row || row.output_from === null) return undefined
  return { from: row.output_from, to: row.output_to ?? (await findOutputLength(db, taskId)) }
}

/** How many lines a part of the output has: read piece by piece, since it may be large. */
export async function findLineCount(db: Kysely<Tables>, taskId: number, { from, to }: OutputRange): Promise<number> {
  let lines = 0
  let last = NEWLINE
  for (let place = from; place < to; ) {
    const piece = await listOutput(db, taskId, { from: place, most: Math.min(COUNTED_BYTES, to - place) })
    if (piece.length === 0) break
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) lines++
    last = piece.at(-1) ?? last
    place += piece.length
  }
  return last === NEWLINE ? lines : lines + 1
}

const NEWLINE = 0x0a
const COUNTED_BYTES = 256 * 1024
