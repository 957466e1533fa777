// Migrates a database and prints what it applied, or stops for ever, inside the transaction, after a statement that
// begins as told.
import { Kysely } from 'kysely'
import { migrate } from '../../src/store/migrate.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import type { Tables } from '../../src/store/tables/tables.ts'

const [kind, address = '', folder = '', lastStatement = ''] = process.argv.slice(2)

const db = new Kysely<Tables>({
  dialect: (kind === 'postgres' ? openPostgres(address) : openSqlite(address)).dialect,
  log: async ({ query }) => {
    if (!query.sql.startsWith(lastStatement)) return
    console.log('hanging')
    process.stdin.resume()
    await new Promise(() => undefined)
  },
})

const applied = await migrate({ db, kind: kind === 'postgres' ? 'postgres' : 'sqlite' }, folder)
console.log(applied.join(' '))
await db.destroy()
