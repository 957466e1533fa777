// Rows of domains: which environment a name belongs to. And the names that projects have taken, over all organizations.
//
// A domain belongs to one environment: the primary key holds that rule, for an environment's own name and for those of its services. Names whose
// first label starts with `pr-7` belong to that pull request.
import { type Kysely, sql } from 'kysely'
import { MAIN_SERVICE } from '../../domain/service-domains.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

/** Every domain under which environments of a project answer, with the environment's name. */
export async function listDomainsOfProject(
  db: Kysely<Tables>,
  projectId: number,
): Promise<readonly { readonly environment: string; readonly domain: string }[]> {
  return db
    .selectFrom('domains as d')
    .innerJoin('environments as e', 'e.id', 'd.environment_id')
    .where('e.project_id', '=', projectId)
    .where('e.removed_at', 'is', null)
    .select(['e.name as environment', 'd.domain'])
    .orderBy('e.id')
    .execute()
}

/** Of these domains, those that other environments have. */
export async function listTakenDomains(
  db: Kysely<Tables>,
  { environmentId, domains }: { readonly environmentId: number; readonly domains: readonly string[] },
): Promise<readonly string[]> {
  if (domains.length === 0) return []
  const rows = await db
    .selectFrom('domains')
    .where('domain', 'in', domains)
    .where('environment_id', '<>', environmentId)
    .select('domain')
    .execute()
  return rows.map(({ domain }) => domain)
}

type NewDomain = {
  readonly environmentId: number
  readonly domain: string
  readonly service?: string
  /** The environment had it a moment ago: it stays its own also where it has it from before there was the rule. */
  readonly isBroughtBack?: boolean
}

/** A domain that is taken violates `domains(domain)`; one of another pull request violates a check of the table. */
export async function insertDomain(tx: Change, wanted: NewDomain): Promise<void> {
  const { environmentId, domain, service = MAIN_SERVICE, isBroughtBack = false } = wanted
  const number = isBroughtBack ? sql`coalesce(pull_request_number, -1)` : sql`pull_request_number`
  await sql`insert into domains (environment_id, domain, service, pull_request_number)
    select id, ${domain}, ${service}, ${number} from environments where id = ${environmentId}`.execute(tx)
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
  tx.notify({ about: 'routes' })
}

export async function updateDomain(tx: Change, { environmentId, domain }: NewDomain): Promise<void> {
  await sql`update domains set domain = ${domain},
      pull_request_number = (select pull_request_number from environments where id = ${environmentId})
    where environment_id = ${environmentId} and service = ${MAIN_SERVICE}`.execute(tx)
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
  tx.notify({ about: 'routes' })
}

export async function deleteDomains(tx: Change, environmentId: number): Promise<void> {
  await tx.deleteFrom('domains').where('environment_id', '=', environmentId).execute()
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
  tx.notify({ about: 'routes' })
}

/** Base and custom domains of the projects of every other organization. */
export async function listForeignDomains(db: Kysely<Tables>, organizationId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('projects')
    .where('organization_id', '<>', organizationId)
    .select(['domain', 'custom_domains'])
    .execute()
  return rows.flatMap((row) => {
    const custom: string[] = JSON.parse(row.custom_domains)
    return [row.domain, ...custom]
  })
}

/**
 * Serializes changes of projects' domains: no index can see that two projects
 * overlap.
 */
export async function lockProjectDomains(db: Kysely<Tables>): Promise<void> {
  await sql`insert into settings (key, value) values ('project_domains_lock', '')
    on conflict (key) do update set value = excluded.value`.execute(db)
}
