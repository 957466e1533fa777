// Creates a project with its own webhook address, webhook secret and repository key.
import { randomBytes } from 'node:crypto'
import { CONNECTION_TYPES } from '@shipway/api/connections'
import type { NewProject } from '@shipway/api/projects'
import type { BasicAuth } from '@shipway/api/values/basic-auth'
import { hoursOfLifetime } from '@shipway/api/values/lifetime'
import { needsConsent } from '@shipway/api/values/recipe-facts'
import { repositoryAddressFault, repositoryHostOf } from '@shipway/api/values/repository-address'
import type { Context } from '../../context.ts'
import type { Connection } from '../../domain/connection.ts'
import { projectContext } from '../../domain/encryption-context.ts'
import { InvalidField } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { DEFAULT_RULES } from '../../domain/repository/pull-request-rules.ts'
import type { Secret } from '../../secrets/secret.ts'
import type { Change } from '../../store/change.ts'
import { findConnectionAnywhere } from '../../store/connections/connections.ts'
import { insertAccess } from '../../store/connections/repository-access.ts'
import { lockOrganization } from '../../store/people/organizations.ts'
import { updateServersOfProject } from '../../store/projects/project-servers.ts'
import { findProject, insertProject, type Project } from '../../store/projects/projects.ts'
import { replaceServiceFile } from '../../store/projects/service-files.ts'
import { type ChosenRepository, chooseRepository } from '../connections/choose-repository.ts'
import { ensureNextAccess } from '../connections/ensure-access.ts'
import { orNotFound } from '../or-not-found.ts'
import { chooseOrganization } from '../people/choose-organization.ts'
import { chooseServers } from './choose-servers.ts'
import { claimProjectDomains } from './claim-project-domains.ts'
import { makeRepositoryKey, makeWebhookSecret } from './make-project-keys.ts'
import { refuseRules, rulesColumn } from './pull-request-settings.ts'
import { refuseFirstRecipe } from './refuse-recipe.ts'
import { refuseServiceFile } from './refuse-service-file.ts'

type Created = { readonly project: Project; readonly webhookSecret: Secret }

export async function createProject(ctx: Context, actor: Actor, wanted: NewProject): Promise<Created> {
  const organizationId = chooseOrganization(actor, wanted.organization_id)
  demand(actor, 'administer', organizationId)
  refuseFirstRecipe(actor, organizationId, wanted)
  const chosen = await chooseRepository(ctx, actor, { organizationId, wanted })
  if (wanted.repo_url !== undefined) refuseRepositoryAddress(ctx, wanted.repo_url)
  if (wanted.pull_requests) refuseRules(DEFAULT_RULES, wanted.pull_requests)
  const { service_file: content, default_recipe: recipe } = wanted
  if (content !== undefined) await refuseServiceFile(ctx, { organizationId, recipe, content })
  const hookId = randomBytes(18).toString('base64url')
  const webhook = makeWebhookSecret(ctx, hookId)
  const columns = {
    ...columnsOf(wanted, chosen),
    ...makeRepositoryKey(ctx, hookId).columns,
    ...sealBasicAuth(ctx, hookId, wanted.basic_auth ?? null),
    organization_id: organizationId,
    owner_id: actor.userId,
    hook_id: hookId,
    webhook_secret_sealed: webhook.sealed,
    connection_id: chosen?.connection.id ?? null,
    repository_external_id: chosen?.externalId ?? null,
    created_at: ctx.clock(),
    updated_at: ctx.clock(),
  }
  const project = await ctx.change(actor, async (tx) => {
    if (chosen) await lockConnection(tx, chosen.connection)
    const serverIds = await chooseServers(tx, organizationId, wanted.server_ids)
    await claimProjectDomains(ctx, tx, { organizationId, domain: wanted.domain, customDomains: wanted.custom_domains })
    const id = await insertProject(tx, columns)
    await updateServersOfProject(tx, id, serverIds)
    if (content !== undefined) await replaceServiceFile(tx, id, content)
    if (chosen) await insertAccess(tx, { projectId: id, repository: chosen.name })
    await tx.audit({
      organizationId,
      action: 'project.created',
      target: { kind: 'project', id, name: wanted.name },
    })
    return orNotFound(await findProject(tx, actor, id), 'project')
  })
  if (project.repositoryAccess === null) return { project, webhookSecret: webhook.secret }
  // The first deployment needs the key. What fails here is kept in the project and tried again.
  await ensureNextAccess(ctx, project.id).catch((error: unknown) => {
    ctx.log.error({ err: error, project: project.id }, 'the repository of a new project could not be checked')
  })
  return { project: (await findProject(ctx.db, actor, project.id)) ?? project, webhookSecret: webhook.secret }
}

/** With the lock, the connection cannot be deleted before the project has it. */
async function lockConnection(tx: Change, { id, organizationId }: Connection): Promise<void> {
  await lockOrganization(tx, organizationId)
  if (!(await findConnectionAnywhere(tx, id)))
    throw InvalidField('/connection_id', 'not_found', 'The connection was deleted meanwhile')
}

/** The schema has parsed it; the settings say whether the platform may connect there. */
export function refuseRepositoryAddress(ctx: Context, address: string): void {
  const fault = repositoryAddressFault(address, { allowedNetworks: ctx.config.allowedNetworks })
  if (fault) throw InvalidField('/repo_url', fault.code, fault.detail)
}

export function sealBasicAuth(ctx: Context, hookId: string, basicAuth: BasicAuth | null) {
  const place = projectContext(hookId, 'basic_auth_password_sealed')
  return {
    basic_auth_username: basicAuth?.username ?? null,
    basic_auth_password_sealed: basicAuth && ctx.box.seal(basicAuth.password, place),
  }
}

function columnsOf(wanted: NewProject, chosen: ChosenRepository | undefined) {
  const address = chosen?.address ?? wanted.repo_url ?? ''
  const host = chosen ? CONNECTION_TYPES[chosen.connection.type].host : wanted.repository_host
  return {
    name: wanted.name,
    repo_url: address,
    repository_host: host ?? repositoryHostOf(address),
    is_host_guessed: host === undefined ? 1 : 0,
    domain: wanted.domain,
    custom_domains: JSON.stringify([...new Set(wanted.custom_domains)]),
    default_branch: wanted.default_branch ?? chosen?.defaultBranch ?? 'main',
    default_recipe: wanted.default_recipe,
    manual_recipe: wanted.manual_recipe ?? (needsConsent[wanted.default_recipe] ? 'allowed' : 'off'),
    tls: wanted.tls,
    fork_pull_requests: wanted.fork_pull_requests,
    ...rulesColumn(DEFAULT_RULES, wanted.pull_requests ?? {}),
    expire_after_hours: hoursOfLifetime(wanted.pull_requests?.expire_after ?? '') ?? null,
  } as const
}
