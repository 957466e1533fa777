// Every secret that an installation keeps: whatever is sealed, opened with its master key from outside.
import { secondFactorContext } from '../../packages/server/src/domain/encryption-context.ts'
import { createBox } from '../../packages/server/src/secrets/box.ts'
import { loadMasterKey } from '../../packages/server/src/secrets/master-key.ts'
import { newTotpSecret } from '../../packages/server/src/secrets/sign-in/totp.ts'
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

/** What no token may set: a token for the API of the git host, and the secret of an authenticator app. */
export async function writeSecrets(
  address: DatabaseAddress,
  { projectId, hostToken, userId }: { projectId: number; hostToken: string; userId: number },
): Promise<void> {
  const database = await openDatabase(address)
  try {
    const { db } = database
    const box = createBox(await loadMasterKey({ dataFolder: address.dataFolder }))
    const { hook_id: row } = await db
      .selectFrom('projects')
      .where('id', '=', projectId)
      .select('hook_id')
      .executeTakeFirstOrThrow()
    const sealed = box.seal(hostToken, { table: 'projects', column: 'host_token_sealed', row })
    await db.updateTable('projects').set({ host_token_sealed: sealed }).where('id', '=', projectId).execute()
    const secret_sealed = box.seal(newTotpSecret(), secondFactorContext('canary'))
    const factor = { user_id: userId, key_id: 'canary', secret_sealed, created_at: Date.now() }
    await db.insertInto('second_factors').values(factor).execute()
  } finally {
    await database.close()
  }
}

export async function countMails(address: DatabaseAddress): Promise<number> {
  const database = await openDatabase(address)
  try {
    return (await database.db.selectFrom('mails').select('id').execute()).length
  } finally {
    await database.close()
  }
}
