// Rows of the variables of environments and of projects. Values come sealed, and are listed apart from what may be shown.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type VariableOwner = { readonly kind: 'environment' | 'project'; readonly id: number }

export type Variable = {
  readonly key: string
  readonly updatedAt: number
  readonly updatedBy: { readonly id: number; readonly name: string }
  /** No secret: builds get it too. */
  readonly isForBuilds: boolean
}

type SealedVariable = { readonly key: string; readonly valueSealed: string }

export type OwnedVariable = SealedVariable & { readonly owner: VariableOwner }

type InheritedVariable = OwnedVariable & Pick<Variable, 'isForBuilds'>

/**
 * The version of all that an environment gets, over `environments e` and `projects p`: both versions only rise, so their sum changes
 * with either. Forks get no variables of the project, and uploads only where it allows that.
 */
export const VARIABLES_VERSION = sql<number>`(e.variables_version + case when e.is_fork = 1 or (e.uploader_id is not null and p.upload_variables = 0)
  then 0 else p.variables_version end)`

/** By key. Sorted here, since the databases sort text differently. */
export async function listVariables(db: Kysely<Tables>, owner: VariableOwner): Promise<readonly Variable[]> {
  const { rows } = await sql<{
    key: string
    updated_at: number
    user_id: number
    user_name: string
    is_for_builds: number
  }>`
    select v.key, v.updated_at, v.is_for_builds, u.id as user_id, u.name as user_name
    from ${tableOf(owner)} v join users u on u.id = v.updated_by where ${ownerColumn(owner)} = ${owner.id}`.execute(db)
  return rows
    .map((row) => ({
      key: row.key,
      updatedAt: row.updated_at,
      updatedBy: { id: row.user_id, name: row.user_name },
      isForBuilds: row.is_for_builds === 1,
    }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
}

/** Every variable that an environment can receive, those of its project first. */
export async function listInheritedVariables(
  db: Kysely<Tables>,
  { id, projectId }: { readonly id: number; readonly projectId: number },
): Promise<readonly InheritedVariable[]> {
  const { rows } = await sql<{ kind: VariableOwner['kind']; key: string; value_sealed: string; is_for_builds: number }>`
    select 'project' as kind, key, value_sealed, is_for_builds from project_variables where project_id = ${projectId}
    union all
    select 'environment' as kind, key, value_sealed, is_for_builds from variables where environment_id = ${id}
    order by kind desc`.execute(db)
  return rows.map((row) => ({
    owner: { kind: row.kind, id: row.kind === 'project' ? projectId : id },
    key: row.key,
    valueSealed: row.value_sealed,
    isForBuilds: row.is_for_builds === 1,
  }))
}

/** How long the sealed texts are, without the texts: they stay where they are. */
export async function listSealedLengths(
  db: Kysely<Tables>,
  owner: VariableOwner,
): Promise<readonly { readonly key: string; readonly sealedLength: number }[]> {
  const { rows } = await sql<{ key: string; sealed_length: number }>`
    select key, length(value_sealed) as sealed_length
    from ${tableOf(owner)} where ${ownerColumn(owner)} = ${owner.id}`.execute(db)
  return rows.map((row) => ({ key: row.key, sealedLength: row.sealed_length }))
}

/** The encryption context of a value: copied to another owner or key, it does not open. */
export const variableContext = ({ kind, id }: VariableOwner, key: string) => ({
  table: tables[kind].name,
  column: 'value_sealed',
  row: `${id}/${key}`,
})

type Rows = { readonly variables: readonly SealedVariable[]; readonly at: number; readonly by: number }

export async function insertOrUpdateVariables(
  tx: Change,
  owner: VariableOwner,
  { variables, at, by }: Rows,
): Promise<void> {
  if (variables.length === 0) return
  const rows = variables.map(({ key, valueSealed }) => sql`(${owner.id}, ${key}, ${valueSealed}, ${at}, ${by})`)
  await sql`
    insert into ${tableOf(owner)} (${ownerColumn(owner)}, key, value_sealed, updated_at, updated_by)
    values ${sql.join(rows)}
    on conflict (${ownerColumn(owner)}, key) do update set value_sealed = excluded.value_sealed,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by`.execute(tx)
}

/** Marks those that are there; the others are none. */
export async function updateBuildMarks(
  tx: Change,
  owner: VariableOwner,
  marks: ReadonlyMap<string, boolean>,
): Promise<void> {
  for (const isForBuilds of [true, false]) {
    const keys = [...marks].filter(([, mark]) => mark === isForBuilds).map(([key]) => key)
    if (keys.length === 0) continue
    await sql`update ${tableOf(owner)} set is_for_builds = ${isForBuilds ? 1 : 0}
      where ${ownerColumn(owner)} = ${owner.id} and key in (${sql.join(keys)})`.execute(tx)
  }
}

export async function deleteVariables(tx: Change, owner: VariableOwner, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`delete from ${tableOf(owner)} where ${ownerColumn(owner)} = ${owner.id} and key in (${sql.join(keys)})`.execute(
    tx,
  )
}

const tables = {
  environment: { name: 'variables', column: 'environment_id' },
  project: { name: 'project_variables', column: 'project_id' },
} as const

const tableOf = ({ kind }: VariableOwner) => sql.table(tables[kind].name)
const ownerColumn = ({ kind }: VariableOwner) => sql.ref(tables[kind].column)
