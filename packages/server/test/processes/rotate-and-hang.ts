// Seals a database again with a new master key, and stops for ever after so many values: DATABASE ADDRESS KEYS COUNT.
import { Kysely } from 'kysely'
import { rotateMasterKey } from '../../src/operations/installation/rotate-master-key.ts'
import { createBox } from '../../src/secrets/box.ts'
import { Secret } from '../../src/secrets/secret.ts'
import { openPostgres } from '../../src/store/postgres/postgres.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import type { Tables } from '../../src/store/tables/tables.ts'

const [kind, address = '', keys = '', count = ''] = process.argv.slice(2)
const [current = new Secret(new Uint8Array()), ...previous] = keys
  .split(',')
  .map((hex) => new Secret<Uint8Array>(Buffer.from(hex, 'hex')))
let left = Number(count)

const db = new Kysely<Tables>({
  dialect: (kind === 'postgres' ? openPostgres(address) : openSqlite(address)).dialect,
  log: async ({ query }) => {
    if (!query.sql.startsWith('update')) return
    left -= 1
    if (left > 0) return
    console.log('hanging')
    process.stdin.resume()
    await new Promise(() => undefined)
  },
})

await rotateMasterKey({ db, box: createBox(current, previous) })
console.log('done')
