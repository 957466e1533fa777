// Rows of outputs: what a task printed, in chunks by their place in the whole. A chunk is written once.
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** Appends to the output of a task; the caller holds its row. Gives the place where the chunk begins. */
export async function insertOutput(db: Kysely<Tables>, taskId: number, bytes: Uint8Array): Promise<number> {
  const { rows } = await sql<{ output_bytes: number }>`
    update tasks set output_bytes = output_bytes + ${bytes.length} where id = ${taskId} returning output_bytes`.execute(
    db,
  )
  const from = (rows[0]?.output_bytes ?? 0) - bytes.length
  // An empty chunk would take the place of the next one.
  if (bytes.length > 0) await db.insertInto('outputs').values({ task_id: taskId, output_from: from, bytes }).execute()
  return from
}

export async function findOutputLength(db: Kysely<Tables>, taskId: number): Promise<number> {
  const row = await db.selectFrom('tasks').where('id', '=', taskId).select('output_bytes').executeTakeFirst()
  return row?.output_bytes ?? 0
}

/** What was printed from one place on, at most about `most` bytes: whole chunks, the first one cut at the place. */
export async function listOutput(
  db: Kysely<Tables>,
  taskId: number,
  { from, most }: { readonly from: number; readonly most: number },
): Promise<Buffer> {
  const first = await db
    .selectFrom('outputs')
    .where('task_id', '=', taskId)
    .where('output_from', '<=', from)
    .select((eb) => eb.fn.max('output_from').as('start'))
    .executeTakeFirst()
  const rows = await db
    .selectFrom('outputs')
    .where('task_id', '=', taskId)
    .where('output_from', '>=', first?.start ?? 0)
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
