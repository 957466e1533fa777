// The sealed secrets of a project and of one of its environments, variables aside, with their encryption contexts.
import { type Kysely, sql } from 'kysely'
import {
  certificateKeyContext,
  connectionContext,
  environmentPasswordContext,
  projectContext,
  serverRegistryContext,
} from '../domain/encryption-context.ts'
import type { Tables } from './tables/tables.ts'

export type SealedSecret = {
  readonly sealed: string
  readonly place: { readonly table: string; readonly column: string; readonly row: string }
}

export async function listSealedSecrets(db: Kysely<Tables>, environmentId: number): Promise<readonly SealedSecret[]> {
  const { rows } = await sql<Row>`
    select e.basic_auth_password_sealed as own_password, e.server_id, s.registry_password_sealed, p.id as project_id, p.hook_id, p.webhook_secret_sealed,
      p.basic_auth_password_sealed, p.earlier_webhook_secret_sealed, p.repository_private_key_sealed, p.host_token_sealed,
      p.connection_id
    from environments e join projects p on p.id = e.project_id
      left join servers s on s.id = e.server_id where e.id = ${environmentId}`.execute(db)
  const [row] = rows
  if (!row) return []
  const webhook = projectContext(row.hook_id, 'webhook_secret_sealed')
  const columns: readonly (readonly [string | null, SealedSecret['place']])[] = [
    [row.own_password, environmentPasswordContext(environmentId)],
    [row.registry_password_sealed, serverRegistryContext(row.server_id)],
    [row.basic_auth_password_sealed, projectContext(row.hook_id, 'basic_auth_password_sealed')],
    [row.webhook_secret_sealed, webhook],
    [row.earlier_webhook_secret_sealed, webhook],
    [row.repository_private_key_sealed, projectContext(row.hook_id, 'repository_private_key_sealed')],
    [row.host_token_sealed, { ...webhook, column: 'host_token_sealed' }],
  ]
  const keys = await db
    .selectFrom('certificates')
    .where('project_id', '=', row.project_id)
    .select(['key_id', 'private_key_sealed'])
    .execute()
  const certificates = keys.map((key) => [key.private_key_sealed, certificateKeyContext(key.key_id ?? '')] as const)
  const connection = await listConnectionSecrets(db, row.connection_id)
  return [...columns, ...certificates, ...connection].flatMap(([sealed, place]) =>
    sealed === null ? [] : [{ sealed, place }],
  )
}

/** Services never get these; a program on the platform's own machine might still print one. */
async function listConnectionSecrets(db: Kysely<Tables>, id: number | null) {
  const row =
    id === null ? undefined : await db.selectFrom('connections').where('id', '=', id).selectAll().executeTakeFirst()
  if (!row) return []
  const columns = ['token_sealed', 'client_secret_sealed', 'private_key_sealed', 'webhook_secret_sealed'] as const
  return columns.map((column) => [row[column], connectionContext(row.seal_id, column)] as const)
}

type Row = {
  readonly own_password: string | null
  readonly server_id: number
  readonly registry_password_sealed: string | null
  readonly project_id: number
  readonly hook_id: string
  readonly basic_auth_password_sealed: string | null
  readonly webhook_secret_sealed: string
  readonly earlier_webhook_secret_sealed: string | null
  readonly repository_private_key_sealed: string
  readonly host_token_sealed: string | null
  readonly connection_id: number | null
}
