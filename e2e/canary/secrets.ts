// Every secret that an installation keeps: whatever is sealed, opened with its master key from outside.
import { createBox } from '../../packages/server/src/secrets/box.ts'
import { loadMasterKey } from '../../packages/server/src/secrets/master-key.ts'
import { type DatabaseAddress, openDatabase } from '../../packages/server/src/store/database.ts'
import { listSealedWithOther, SEALED_COLUMNS } from '../../packages/server/src/store/sealed-columns.ts'

/** By the place of each; every sealed column must have one, so that none is forgotten here. */
export async function readSecrets(address: DatabaseAddress): Promise<Map<string, string>> {
  const database = await openDatabase(address)
  try {
    const box = createBox(await loadMasterKey({ dataFolder: address.dataFolder }))
    const secrets = new Map<string, string>()
    for (const column of SEALED_COLUMNS) {
      const values = await listSealedWithOther(database.db, column, { keyId: 'none', after: undefined, most: 1000 })
      if (values.length === 0) throw new Error(`There is no value in ${column.table}.${column.column}`)
      for (const { sealed, place, row } of values)
        secrets.set(`${column.table}.${column.column} of ${JSON.stringify(row)}`, box.open(sealed, place).reveal())
    }
    return secrets
  } finally {
    await database.close()
  }
}

/** What no route sets: a token for the API of the git host. */
export async function setHostToken(address: DatabaseAddress, projectId: number, token: string): Promise<void> {
  const database = await openDatabase(address)
  try {
    const box = createBox(await loadMasterKey({ dataFolder: address.dataFolder }))
    const { hook_id: row } = await database.db
      .selectFrom('projects')
      .where('id', '=', projectId)
      .select('hook_id')
      .executeTakeFirstOrThrow()
    const sealed = box.seal(token, { table: 'projects', column: 'host_token_sealed', row })
    await database.db.updateTable('projects').set({ host_token_sealed: sealed }).where('id', '=', projectId).execute()
  } finally {
    await database.close()
  }
}
