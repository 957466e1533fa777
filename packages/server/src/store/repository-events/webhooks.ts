// What verifying a delivery needs: the project of a hook and its sealed secrets. Found by the hook id alone.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import type { Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type Webhook = {
  readonly projectId: number
  readonly organizationId: number
  readonly hookId: string
  readonly repositoryHost: RepositoryHost
  /** A guess: neither a user nor a delivery has confirmed it. */
  readonly isHostGuessed: boolean
  readonly repoUrl: string
  readonly secretSealed: string
  /** In use before the newest was made, and valid until that one is used. */
  readonly earlierSecretSealed: string | null
  /** From before projects had secrets of their own. */
  readonly sharesSecret: boolean
  readonly repositoryExternalId: string | null
}

export const findWebhook = (db: Kysely<Tables>, hookId: string): Promise<Webhook | undefined> =>
  find(db, { hook_id: hookId })

export const findWebhookOfProject = (db: Kysely<Tables>, projectId: number): Promise<Webhook | undefined> =>
  find(db, { id: projectId })

/** Of the projects that use a repository through a connection. */
export const listWebhooksOfRepository = (
  db: Kysely<Tables>,
  { connectionId, repositoryId }: { readonly connectionId: number; readonly repositoryId: string },
): Promise<readonly Webhook[]> => list(db, { connection_id: connectionId, repository_external_id: repositoryId })

type ProjectCondition =
  | { readonly hook_id: string }
  | { readonly id: number }
  | { readonly connection_id: number; readonly repository_external_id: string }

const find = async (db: Kysely<Tables>, which: ProjectCondition): Promise<Webhook | undefined> =>
  (await list(db, which))[0]

async function list(db: Kysely<Tables>, which: ProjectCondition): Promise<readonly Webhook[]> {
  const rows = await db
    .selectFrom('projects')
    .where((where) => where.and(which))
    .orderBy('id')
    .select([
      'id',
      'organization_id',
      'hook_id',
      'repository_host',
      'is_host_guessed',
      'repo_url',
      'webhook_secret_sealed',
      'earlier_webhook_secret_sealed',
      'shares_webhook_secret',
      'repository_external_id',
    ])
    .execute()
  return rows.map((row) => ({
    projectId: row.id,
    organizationId: row.organization_id,
    hookId: row.hook_id,
    repositoryHost: row.repository_host,
    isHostGuessed: row.is_host_guessed === 1,
    repoUrl: row.repo_url,
    secretSealed: row.webhook_secret_sealed,
    earlierSecretSealed: row.earlier_webhook_secret_sealed,
    sharesSecret: row.shares_webhook_secret === 1,
    repositoryExternalId: row.repository_external_id,
  }))
}

/** The git host uses the newest secret, so earlier ones are deleted. Does nothing if there is a newer one by now. */
export async function deleteEarlierSecrets(
  tx: Change,
  { projectId, secretSealed }: Pick<Webhook, 'projectId' | 'secretSealed'>,
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ earlier_webhook_secret_sealed: null, shares_webhook_secret: 0 })
    .where('id', '=', projectId)
    .where('webhook_secret_sealed', '=', secretSealed)
    .execute()
  tx.notify({ about: 'project', id: projectId, how: 'updated' })
}

export async function updateRepositoryExternalId(db: Kysely<Tables>, projectId: number, id: string): Promise<void> {
  await db.updateTable('projects').set({ repository_external_id: id }).where('id', '=', projectId).execute()
}

/** True if it changed. Does nothing if a user has chosen the host meanwhile. */
export async function updateGuessedHost(
  tx: Change,
  { projectId, repositoryHost }: Pick<Webhook, 'projectId' | 'repositoryHost'>,
): Promise<boolean> {
  const before = await tx
    .selectFrom('projects')
    .where('id', '=', projectId)
    .where('is_host_guessed', '=', 1)
    .select('repository_host')
    .executeTakeFirst()
  if (!before) return false
  await tx
    .updateTable('projects')
    .set({ repository_host: repositoryHost, is_host_guessed: 0 })
    .where('id', '=', projectId)
    .where('is_host_guessed', '=', 1)
    .execute()
  tx.notify({ about: 'project', id: projectId, how: 'updated' })
  return before.repository_host !== repositoryHost
}
