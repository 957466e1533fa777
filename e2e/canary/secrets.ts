// Every secret that an installation keeps: whatever is sealed, opened with its master key from outside.

import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import {
  connectionContext,
  secondFactorContext,
  serverRegistryContext,
} from '../../packages/server/src/domain/encryption-context.ts'
import { createBox } from '../../packages/server/src/secrets/box.ts'
import { loadMasterKey } from '../../packages/server/src/secrets/master-key.ts'
import { newTotpSecret } from '../../packages/server/src/secrets/sign-in/totp.ts'
import { type DatabaseAddress, openDatabase } from '../../packages/server/src/store/database.ts'
import { listSealedWithOther, SEALED_COLUMNS } from '../../packages/server/src/store/sealed-columns.ts'
import type { Tables } from '../../packages/server/src/store/tables/tables.ts'

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

/**
 * What no token may set, or what a git host has to confirm first: a token for the API of the git host, the secret of an authenticator app,
 * and the credentials of a connection.
 */
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
    const { server_id } = await db
      .selectFrom('project_servers')
      .where('project_id', '=', projectId)
      .select('server_id')
      .executeTakeFirstOrThrow()
    const registry_password_sealed = box.seal(unique(), serverRegistryContext(server_id))
    await db.updateTable('servers').set({ registry_password_sealed }).where('id', '=', server_id).execute()
    await writeConnection(db, { projectId, seal: (column) => box.seal(unique(), connectionContext('canary', column)) })
  } finally {
    await database.close()
  }
}

type Sealed = { readonly projectId: number; seal(column: Parameters<typeof connectionContext>[1]): string }

/** The project has it, so that whatever masks its secrets masks these, too. */
async function writeConnection(db: Kysely<Tables>, { projectId, seal }: Sealed): Promise<void> {
  const project = db.selectFrom('projects').where('id', '=', projectId)
  const { organization_id } = await project.select('organization_id').executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('connections')
    .values({
      organization_id,
      type: 'gitea',
      name: 'Canary',
      base_url: 'http://127.0.0.1:9',
      seal_id: 'canary',
      token_sealed: seal('token_sealed'),
      client_secret_sealed: seal('client_secret_sealed'),
      private_key_sealed: seal('private_key_sealed'),
      webhook_secret_sealed: seal('webhook_secret_sealed'),
      status: 'active',
      created_at: Date.now(),
      updated_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('projects').set({ connection_id: id }).where('id', '=', projectId).execute()
}

const unique = (): string => `canary-${randomBytes(12).toString('hex')}`

export async function countMails(address: DatabaseAddress): Promise<number> {
  const database = await openDatabase(address)
  try {
    return (await database.db.selectFrom('mails').select('id').execute()).length
  } finally {
    await database.close()
  }
}
