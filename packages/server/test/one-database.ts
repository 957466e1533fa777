// The embedded database, for `describe.each(oneDatabase)('…on $name', …)`: suites about what no database decides. Other suites run the
// same statements on both.
import { databases, type TestDatabaseSource } from './databases.ts'

export const oneDatabase: readonly TestDatabaseSource[] = databases.slice(0, 1)
