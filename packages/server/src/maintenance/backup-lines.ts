/**
 * The lines of a backup, each a JSON value: a head, then each table with its rows, then a seal.
 *
 * The seal is made with the master key over the digest of all lines before it. Without the key a backup can be neither changed
 * nor forged, and a truncated file has no seal.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { CannotStart } from '../domain/cannot-start.ts'
import type { Box } from '../secrets/box.ts'
import type { TableRows } from '../store/backup/load-tables.ts'
import type { Row, Snapshot, SnapshotTable, Value } from '../store/backup/snapshot.ts'

const FORMAT = 'shipway-backup-1'

/** Read before the seal is verified. A text of several lines could look like output of ours in a message. */
const Name = z.string().regex(/^[\w.+/=:-]{1,200}$/)

export const BackupHead = z.object({
  format: z.literal(FORMAT),
  /** The release that made it. */
  version: Name,
  made_at: z.iso.datetime(),
  database: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.object({ name: Name, checksum: Name })).max(10_000),
  key_id: Name,
  /** Only where it was asked for. */
  master_key: z.string().optional(),
})
export type BackupHead = z.infer<typeof BackupHead>

const TableLine = z.object({ table: Name, columns: z.array(Name).min(1).max(1000), last_id: z.number().nullable() })
const SealLine = z.object({ sha256: z.string(), seal: z.string() })
const RowLine = z.array(z.union([z.string(), z.number(), z.null(), z.object({ base64: z.string() })]))

/** The file is not a backup, is incomplete, or was made with another key. */
export class BackupRefused extends CannotStart {
  override readonly name = 'BackupRefused'
}

export type Counted = { tables: number; rows: number }

type BackupContents = { readonly snapshot: Snapshot; readonly head: Omit<BackupHead, 'format'>; readonly box: Box }

/** Updates `counted` while writing. */
export async function* writeLines({ snapshot, head, box }: BackupContents, counted: Counted): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const line = (value: unknown): string => {
    const text = `${JSON.stringify(value)}\n`
    digest.update(text)
    return text
  }
  yield line({ format: FORMAT, ...head })
  for (const table of await snapshot.listTables()) {
    yield line({ table: table.name, columns: table.columns, last_id: table.lastId })
    counted.tables++
    for await (const rows of snapshot.rowsOf(table)) {
      yield rows.map((row) => line(row.map(toJson))).join('')
      counted.rows += rows.length
    }
  }
  const sha256 = digest.digest('hex')
  yield `${JSON.stringify({ sha256, seal: sealOf(box, sha256) })}\n`
}

export function parseHead(line: string | undefined): BackupHead {
  const head = BackupHead.safeParse(parse(line ?? ''))
  if (!head.success)
    throw new BackupRefused('This is not a backup of Shipway. Name the file that `backup` has written.')
  return head.data
}

/** The rows of the tables in batches, each table at least once. Throws at the end if the seal is missing or wrong. */
export async function* readLines(lines: AsyncIterable<string>, box: Box): AsyncGenerator<TableRows> {
  const digest = createHash('sha256')
  let table: SnapshotTable | undefined
  let rows: Row[] = []
  let length = 0
  let isSealed = false
  let isHead = true
  for await (const line of lines) {
    if (isSealed) throw altered()
    const value = isHead ? undefined : parse(line)
    if (SealLine.safeParse(value).success) {
      const { sha256, seal } = SealLine.parse(value)
      if (sha256 !== digest.digest('hex') || seal !== sealOf(box, sha256)) throw altered()
      isSealed = true
      continue
    }
    digest.update(`${line}\n`)
    if (isHead) isHead = false
    else if (Array.isArray(value)) {
      if (!table) throw altered()
      rows.push(rowOf(value, table))
      length += line.length
    } else {
      if (table) yield { table, rows }
      rows = []
      table = tableOf(value)
    }
    if (table && (rows.length === BATCH || length > BATCH_CHARACTERS)) {
      yield { table, rows }
      rows = []
      length = 0
    }
  }
  if (table) yield { table, rows }
  if (!isSealed) {
    throw new BackupRefused('The backup is not whole: its end is missing. Copy it again, or use another one.')
  }
}

const BATCH = 100
const BATCH_CHARACTERS = 4 * 1024 * 1024

const sealOf = (box: Box, sha256: string): string => box.fingerprint(`shipway backup ${sha256}`)

const altered = (): BackupRefused =>
  new BackupRefused('The backup was changed after it was made, or made with another master key. Use another one.')

function tableOf(value: unknown): SnapshotTable {
  const line = TableLine.safeParse(value)
  if (!line.success) throw altered()
  return { name: line.data.table, columns: line.data.columns, lastId: line.data.last_id }
}

function rowOf(value: unknown, { columns }: SnapshotTable): Row {
  // Checked first, because a forged row may have millions of values.
  if (!Array.isArray(value) || value.length !== columns.length) throw altered()
  const row = RowLine.safeParse(value)
  if (!row.success) throw altered()
  return row.data.map((one) => (one !== null && typeof one === 'object' ? Buffer.from(one.base64, 'base64') : one))
}

const toJson = (value: Value): unknown =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    if (cause instanceof SyntaxError) throw altered()
    throw cause
  }
}
