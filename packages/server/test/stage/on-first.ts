// For a block on both databases, in which some tests ask what no database decides: those run on the first alone, as `once('…', …)`.
import { test } from 'vitest'
import { databases, type TestDatabaseSource } from '../databases.ts'

/** `test` where this is the first database; elsewhere it registers nothing. */
export const onFirst = (source: TestDatabaseSource) =>
  source === databases[0] ? test : (_name: string, _run: () => Promise<void>): void => undefined
