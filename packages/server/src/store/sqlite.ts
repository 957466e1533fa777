// The embedded database: Kysely's SQLite dialect over node:sqlite.
import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely'
import { CannotStart } from '../domain/cannot-start.ts'
import { ChangedMeanwhile, DatabaseUnavailable } from '../domain/errors.ts'
import { type Checkpoints, keepCheckpoints } from './checkpoints.ts'
import { REPEATABLE } from './repeatable-transaction.ts'

// There is one connection. Kysely hands it out to one transaction or one query at a time, so nothing from outside ever
// runs inside another caller's transaction. The price: a function that holds a transaction must use it for every query,
// since a query on the database itself would wait for that same transaction for ever.
export function openSqlite(path: string): { dialect: Dialect; version: () => string | undefined } {
  const database = openFile(path)
  const adapted = adapt(database)
  const checkpoints = keepCheckpoints(path)
  const dialect = new SqliteDialect({ database: adapted })
  return {
    dialect: {
      createDriver: () => new ImmediateDriver(adapted, database, checkpoints),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
    },
    version: versionOf(database),
  }
}

// The columns of the violated unique index as `table(column, column)`; for an index on an expression, SQLite gives the
// index's name alone. Partial indexes over the same columns cannot be distinguished.
export function violatedUniqueOfSqlite(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || !uniqueErrors.has(error.errcode)) return undefined
  const violated = error.message.replace('UNIQUE constraint failed: ', '')
  const indexName = /^index '(.*)'$/.exec(violated)?.[1]
  if (indexName) return indexName
  const columns = violated.split(', ').map((column) => column.split('.'))
  return `${columns[0]?.[0]}(${columns.map(([, column]) => column).join(', ')})`
}

// SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY and _ROWID
const uniqueErrors = new Set<unknown>([2067, 1555, 2579])

const busyTimeoutMs = 5_000

function openFile(path: string): DatabaseSync {
  // SQLite makes its files readable to all, and gives the -wal and -shm files the mode of the first. An existing file
  // is not opened here: closing it again would drop the locks that this process holds on it.
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  const mode = database.prepare('pragma journal_mode = wal').get()?.journal_mode
  if (mode !== 'wal') {
    database.close()
    throw new CannotStart(
      `The file system of ${path} cannot hold the embedded database (no write-ahead log). ` +
        'Choose a data folder on a local disk, or use PostgreSQL through DATABASE_URL.',
    )
  }
  // An answered write survives a power cut: the log is flushed to the disk at every commit.
  database.exec('pragma synchronous = full')
  // So much may wait in the log (64 MiB) for `keepCheckpoints`, until a commit does it after all.
  database.exec('pragma wal_autocheckpoint = 16384')
  return database
}

// The last number of the journal, read beside the queue for the connection. Unknown while a transaction is open: it may have counted a
// number that its rollback gives to another change.
function versionOf(database: DatabaseSync): () => string | undefined {
  let statement: StatementSync | undefined
  return () => {
    if (database.isTransaction) return undefined
    statement ??= database.prepare('select seq from journal_end')
    return String(statement.get()?.seq)
  }
}

// Statements are kept so that each SQL text is prepared once. Lists of values of different lengths make different
// texts, hence the limit; the statement used longest ago goes first.
const keptStatements = 500

function adapt(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare: (text) => {
      const statement = statements.get(text) ?? translatingErrors(() => prepare(database, text))
      statements.delete(text)
      statements.set(text, statement)
      const [oldest] = statements.keys()
      if (statements.size > keptStatements && oldest !== undefined) statements.delete(oldest)
      return statement
    },
  }
}

function prepare(database: DatabaseSync, text: string): SqliteStatement {
  const statement = database.prepare(text)
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => translatingErrors(() => statement.all(...parameters.map(bindable))),
    run: (parameters) => translatingErrors(() => statement.run(...parameters.map(bindable))),
    // A statement of its own: the kept one may be run again while this one is being read.
    iterate: (parameters) => translatingErrors(() => database.prepare(text).iterate(...parameters.map(bindable))),
  }
}

// Every statement passes here, so this is where errors that a retry can fix become `DatabaseUnavailable`.
function translatingErrors<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
    if (code === violatedForeignKey) throw ChangedMeanwhile(error)
    throw unavailable.has(code & 0xff) ? DatabaseUnavailable(error) : error
  }
}

// SQLITE_CONSTRAINT_FOREIGNKEY. As on PostgreSQL: another transaction was faster, between the check and the write.
const violatedForeignKey = 787

// SQLITE_BUSY, LOCKED, NOMEM, READONLY, IOERR, FULL, CANTOPEN and PROTOCOL, whatever their extended codes add
const unavailable = new Set([5, 6, 7, 8, 10, 13, 14, 15])

// node:sqlite takes an object in the first place for named parameters and would silently shift the others.
function bindable(value: unknown): SQLInputValue {
  if (value === null || value instanceof Uint8Array) return value
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  throw new TypeError(`A ${typeof value} cannot be a parameter of a query: pass text, a number, bytes or null`)
}

/** Of `synchronous`: the log is written at a commit, and flushed before a checkpoint. */
const NORMAL = 1

class ImmediateDriver extends SqliteDriver {
  readonly #database: DatabaseSync
  readonly #checkpoints: Checkpoints
  #isFlushed = true
  /** The level of `synchronous` otherwise. */
  #usual = 0
  #transactions = 0

  constructor(adapted: SqliteDatabase, database: DatabaseSync, checkpoints: Checkpoints) {
    super({ database: adapted })
    this.#database = database
    this.#checkpoints = checkpoints
  }

  // Takes the write lock at the start, so that a transaction waits there and does not fail at its first write.
  override async beginTransaction(
    connection: DatabaseConnection,
    { accessMode }: TransactionSettings = {},
  ): Promise<void> {
    this.#flush(accessMode !== REPEATABLE)
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    // Output is much at once; of everything else some hundred transactions are as much.
    if (!this.#isFlushed || ++this.#transactions % 200 === 0) this.#checkpoints.follow()
  }

  override async releaseConnection(): Promise<void> {
    this.#flush(true)
    await super.releaseConnection()
  }

  override async destroy(): Promise<void> {
    await this.#checkpoints.close()
    await super.destroy()
  }

  /** Between transactions: within one it has no effect. */
  #flush(isFlushed: boolean): void {
    if (isFlushed === this.#isFlushed) return
    if (!isFlushed) this.#usual = Number(this.#database.prepare('pragma synchronous').get()?.synchronous)
    this.#database.exec(`pragma synchronous = ${isFlushed ? this.#usual : Math.min(this.#usual, NORMAL)}`)
    this.#isFlushed = isFlushed
  }

  // After a full disk SQLite has rolled back by itself; a second rollback would hide the first error.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection)
  }
}
