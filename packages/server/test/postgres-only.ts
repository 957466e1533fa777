// PostgreSQL where it is there, for `describe.each(postgresOnly)('…on $name', …)`.
import { databases, type TestDatabaseSource } from './databases.ts'

export const postgresOnly: readonly TestDatabaseSource[] = databases.filter(({ name }) => name === 'postgres')
