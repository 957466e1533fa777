// All records as they were at one moment, read while the platform goes on writing: what a backup is made of.
//
// Tables are found in the database itself, so that a migration needs no change here. Rows come in batches; at most one is in memory.
import type { DatabaseKind } from '../database.ts'

export type Value = string | number | Uint8Array | null
export type Row = readonly Value[]

export type AppliedMigration = { readonly name: string; readonly checksum: string }

export type SnapshotTable = {
  readonly name: string
  readonly columns: readonly string[]
  /** The highest id ever given, where the database gives them: ids of deleted rows are never given again. */
  readonly lastId: number | null
}

export type Snapshot = {
  readonly kind: DatabaseKind
  listMigrations(): Promise<readonly AppliedMigration[]>
  /** All but the list of migrations. */
  listTables(): Promise<readonly SnapshotTable[]>
  rowsOf(table: SnapshotTable): AsyncIterable<readonly Row[]>
  close(): Promise<void>
}
