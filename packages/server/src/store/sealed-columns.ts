// Every column that holds sealed values, row by row, for a change of the master key. A new one is one more entry.
import { type Kysely, sql } from 'kysely'
import {
  certificateKeyContext,
  channelContext,
  connectionContext,
  type EncryptionContext,
  environmentPasswordContext,
  hookSecretContext,
  mailContext,
  projectContext,
  runCommandContext,
  secondFactorContext,
  serverRegistryContext,
  sshAuthorityContext,
} from '../domain/encryption-context.ts'
import { variableContext } from './environments/variables.ts'
import type { Tables } from './tables/tables.ts'

export type SealedValue = {
  readonly column: SealedColumn
  /** Values of the columns that identify the row. */
  readonly row: Readonly<Record<string, string | number>>
  readonly sealed: string
  readonly place: EncryptionContext
}

type SealedColumn = {
  readonly table: string
  readonly column: string
  readonly key: readonly string[]
  readonly place: (row: Readonly<Record<string, string | number>>) => EncryptionContext
}

const inProject = (
  column: string,
  placed: Parameters<typeof projectContext>[1] | 'host_token_sealed',
): SealedColumn => ({
  table: 'projects',
  column,
  key: ['hook_id'],
  place: ({ hook_id }) => ({ ...projectContext(String(hook_id), 'webhook_secret_sealed'), column: placed }),
})

const inHook = (column: string): SealedColumn => ({
  table: 'hooks',
  column,
  key: ['seal_id'],
  place: ({ seal_id }) => hookSecretContext(String(seal_id)),
})

const inChannel = (column: Parameters<typeof channelContext>[1]): SealedColumn => ({
  table: 'channels',
  column,
  key: ['seal_id'],
  place: ({ seal_id }) => channelContext(String(seal_id), column),
})

const inConnection = (column: Parameters<typeof connectionContext>[1]): SealedColumn => ({
  table: 'connections',
  column,
  key: ['seal_id'],
  place: ({ seal_id }) => connectionContext(String(seal_id), column),
})

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  inProject('webhook_secret_sealed', 'webhook_secret_sealed'),
  // Moved from the column above, so it has that column's context.
  inProject('earlier_webhook_secret_sealed', 'webhook_secret_sealed'),
  inProject('repository_private_key_sealed', 'repository_private_key_sealed'),
  inProject('basic_auth_password_sealed', 'basic_auth_password_sealed'),
  inProject('host_token_sealed', 'host_token_sealed'),
  {
    table: 'environments',
    column: 'basic_auth_password_sealed',
    key: ['id'],
    place: ({ id }) => environmentPasswordContext(Number(id)),
  },
  {
    table: 'variables',
    column: 'value_sealed',
    key: ['environment_id', 'key'],
    place: ({ environment_id, key }) =>
      variableContext({ kind: 'environment', id: Number(environment_id) }, String(key)),
  },
  {
    table: 'project_variables',
    column: 'value_sealed',
    key: ['project_id', 'key'],
    place: ({ project_id, key }) => variableContext({ kind: 'project', id: Number(project_id) }, String(key)),
  },
  // Moved from the two columns above, so they have those contexts.
  {
    table: 'handed_values',
    column: 'value_sealed',
    key: ['id', 'owner', 'owner_id', 'key'],
    place: ({ owner, owner_id, key }) =>
      variableContext({ kind: owner === 'project' ? 'project' : 'environment', id: Number(owner_id) }, String(key)),
  },
  {
    table: 'certificates',
    column: 'private_key_sealed',
    key: ['key_id'],
    place: ({ key_id }) => certificateKeyContext(String(key_id)),
  },
  {
    table: 'servers',
    column: 'registry_password_sealed',
    key: ['id'],
    place: ({ id }) => serverRegistryContext(Number(id)),
  },
  {
    table: 'ssh_authorities',
    column: 'private_key_sealed',
    key: ['organization_id'],
    place: ({ organization_id }) => sshAuthorityContext(Number(organization_id)),
  },
  {
    table: 'tasks',
    column: 'command_sealed',
    key: ['id', 'environment_id'],
    place: ({ environment_id }) => runCommandContext(Number(environment_id)),
  },
  { table: 'mails', column: 'mail_sealed', key: ['key'], place: ({ key }) => mailContext(String(key)) },
  {
    table: 'second_factors',
    column: 'secret_sealed',
    key: ['key_id'],
    place: ({ key_id }) => secondFactorContext(String(key_id)),
  },
  inHook('secret_sealed'),
  inHook('earlier_secret_sealed'),
  inChannel('url_sealed'),
  inChannel('token_sealed'),
  inChannel('secret_sealed'),
  inConnection('token_sealed'),
  inConnection('client_secret_sealed'),
  inConnection('private_key_sealed'),
  inConnection('webhook_secret_sealed'),
  // Only sealed settings: the installation's name is in the table, too. The canary comes last.
  {
    table: 'settings',
    column: 'value',
    key: ['key'],
    place: ({ key }) => ({ table: 'settings', column: 'value', row: String(key) }),
  },
]

/** Values sealed with another key, in the order of the identifying columns; the next batch begins after the last row. */
export async function listSealedWithOther(
  db: Kysely<Tables>,
  column: SealedColumn,
  {
    keyId,
    after,
    most,
  }: { readonly keyId: string; readonly after: SealedValue['row'] | undefined; readonly most: number },
): Promise<readonly SealedValue[]> {
  const sealed = sql.ref(column.column)
  const key = sql.join(column.key.map((name) => sql.ref(name)))
  const from = after ? sql`and (${key}) > (${sql.join(column.key.map((name) => after[name]))})` : sql``
  const canary = column.table === 'settings' ? sql`and key <> 'canary'` : sql``
  const own = `v1.${keyId}.`
  const { rows } = await sql<Record<string, string | number>>`
    select ${key}, ${sealed} as sealed from ${sql.table(column.table)}
    where substr(${sealed}, 1, 3) = 'v1.' and substr(${sealed}, 1, ${sql.lit(own.length)}) <> ${own} ${canary} ${from}
    order by ${key} limit ${most}`.execute(db)
  return rows.map(({ sealed: text, ...row }) => ({ column, row, sealed: String(text), place: column.place(row) }))
}

type Resealed = { readonly value: SealedValue; readonly by: string | undefined }

/** In one transaction. Values that changed since stay, and so do those without a replacement. */
export async function updateSealed(database: Kysely<Tables>, resealed: readonly Resealed[]): Promise<void> {
  await database.transaction().execute(async (db) => {
    for (const { value, by } of resealed) {
      if (by === undefined) continue
      const { column, row, sealed } = value
      const isRow = column.key.map((name) => sql`${sql.ref(name)} = ${row[name]}`)
      await sql`update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${by}
        where ${sql.join(isRow, sql` and `)} and ${sql.ref(column.column)} = ${sealed}`.execute(db)
    }
  })
}
