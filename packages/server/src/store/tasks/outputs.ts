// Rows of outputs: what a task printed, in chunks by their place in the whole. A chunk is written once.
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'
import { updateReadBytes } from './steps.ts'
import type { Lease } from './task-queue.ts'

const MOST_CHUNK_BYTES = 256 * 1024

/** Up to where the output of a step on the server has been read. */
export type ReadUpTo = { readonly position: number; readonly bytes: number }

/**
 * Appends to the output of a task, be it nothing, and locks its row until the caller's transaction ends. Gives the length of the output
 * with that; undefined once the lease is lost.
 */
export async function insertOutput(
  tx: Change,
  lease: Lease,
  bytes: Uint8Array,
  readUpTo?: ReadUpTo,
): Promise<number | undefined> {
  const isPostgres = tx.getExecutor().adapter instanceof PostgresAdapter
  const length = await (isPostgres ? insertAtOnce : insertOneByOne)(tx, lease, bytes, readUpTo)
  if (length !== undefined && bytes.length > 0) tx.notify({ about: 'output', id: lease.taskId })
  return length
}

/** One statement where the database can do it in one: output comes many times a second. */
async function insertAtOnce(tx: Change, lease: Lease, bytes: Uint8Array, readUpTo?: ReadUpTo) {
  const chunks = chunksOf(bytes).map(({ at, chunk }) => sql`(${at - bytes.length}::bigint, ${chunk}::bytea)`)
  const written = sql`, written as (
    insert into outputs (task_id, output_from, bytes)
    select ${lease.taskId}::bigint, output_bytes + at, chunk from raised, (values ${sql.join(chunks)}) as chunks (at, chunk))`
  const kept =
    readUpTo &&
    sql`, kept as (
    update steps set read_bytes = ${readUpTo.bytes} from raised
    where task_id = ${lease.taskId} and position = ${readUpTo.position})`
  const { rows } = await sql<OutputLength>`with raised as (${raise(lease, bytes)})
    ${chunks.length > 0 ? written : NOTHING} ${kept ?? NOTHING}
    select output_bytes from raised`.execute(tx)
  return rows[0]?.output_bytes
}

async function insertOneByOne(tx: Change, lease: Lease, bytes: Uint8Array, readUpTo?: ReadUpTo) {
  const { rows } = await raise(lease, bytes).execute(tx)
  const length = rows[0]?.output_bytes
  if (length === undefined) return undefined
  for (const { at, chunk } of chunksOf(bytes)) {
    const row = { task_id: lease.taskId, output_from: length - bytes.length + at, bytes: chunk }
    await tx.insertInto('outputs').values(row).execute()
  }
  if (readUpTo) await updateReadBytes(tx, { taskId: lease.taskId, position: readUpTo.position }, readUpTo.bytes)
  return length
}

const raise = ({ taskId, epoch }: Lease, bytes: Uint8Array) => sql<OutputLength>`
  update tasks set output_bytes = output_bytes + ${bytes.length}
  where id = ${taskId} and epoch = ${epoch} and status = 'running' returning output_bytes`

function chunksOf(bytes: Uint8Array): { readonly at: number; readonly chunk: Uint8Array }[] {
  const chunks = []
  for (let at = 0; at < bytes.length; at += MOST_CHUNK_BYTES)
    chunks.push({ at, chunk: bytes.subarray(at, at + MOST_CHUNK_BYTES) })
  return chunks
}

const NOTHING = sql``

type OutputLength = { readonly output_bytes: number }

/** How long the output of a task is, whether more may come, and since when it is removed. */
export async function findOutputOf(db: Kysely<Tables>, taskId: number) {
  return db
    .selectFrom('tasks')
    .where('id', '=', taskId)
    .select(['output_bytes as bytes', 'status', 'finished_at as finishedAt', 'output_expired_at as expiredAt'])
    .executeTakeFirst()
}

export async function findOutputLength(db: Kysely<Tables>, taskId: number): Promise<number> {
  return (await findOutputOf(db, taskId))?.bytes ?? 0
}

/** What was printed from one place on, at most `most` bytes. */
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
  // Cut by the database: a chunk is read in parts, and PostgreSQL sends twice as many characters as there are bytes.
  const part = sql<Buffer>`substr(bytes,
    1 + case when output_from < ${from} then cast(${from} - output_from as integer) else 0 end,
    cast(${most} as integer))`
  const rows = await db
    .selectFrom('outputs')
    .where('task_id', '=', taskId)
    .where('output_from', '>=', (eb) => eb.fn.coalesce(first, eb.lit(0)))
    .where('output_from', '<', from + most)
    .orderBy('output_from')
    .select(part.as('bytes'))
    .execute()
  return Buffer.concat(rows.map(({ bytes }) => bytes)).subarray(0, most)
}

export type OutputRange = { readonly from: number; readonly to: number }

/** The range of the first failed step's output; without a recorded end it reaches to the end of the task's output. */
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
