// Changes a project. A repository on another host gets new secrets, so that nothing the old host knew works there.
import type { ProjectChanges } from '@shipway/api/projects'
import { hoursOfLifetime } from '@shipway/api/values/lifetime'
import { repositoryHostOf } from '@shipway/api/values/repository-address'
import type { Updateable } from 'kysely'
import type { Context } from '../../context.ts'
import { outsideOf } from '../../domain/domain-rules.ts'
import { projectContext } from '../../domain/encryption-context.ts'
import { activeTaskOf } from '../../domain/environment.ts'
import { Forbidden, InUse, InvalidField, ProjectDeleting } from '../../domain/errors.ts'
import { type Actor, boundOrganization } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { isOnAnotherHost } from '../../domain/project.ts'
import { causeOf } from '../../domain/tasks/cause.ts'
import type { Secret } from '../../secrets/secret.ts'
import type { Change } from '../../store/change.ts'
import { listDomainsOfProject } from '../../store/environments/domains.ts'
import { listEnvironmentsOfProject } from '../../store/environments/environments.ts'
import { listRoutedElsewhere } from '../../store/environments/routes.ts'
import { updateServersOfProject } from '../../store/projects/project-servers.ts'
import {
  findProject,
  findProjectAnywhere,
  lockProject,
  type Project,
  updateProject as updateRow,
} from '../../store/projects/projects.ts'
import { replaceServiceFile } from '../../store/projects/service-files.ts'
import { insertOutboxPullRequest } from '../../store/repository-events/outbox.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { removeEnvironment } from '../environments/remove-environment.ts'
import { orNotFound } from '../or-not-found.ts'
import { chooseOwner } from '../people/choose-owner.ts'
import { applyChangedRules } from './apply-changed-rules.ts'
import { chooseServers } from './choose-servers.ts'
import { claimProjectDomains } from './claim-project-domains.ts'
import { refuseRepositoryAddress, sealBasicAuth } from './create-project.ts'
import { findProjectForUpdate } from './find-project-for-update.ts'
import { makeRepositoryKey, makeWebhookSecret } from './make-project-keys.ts'
import { refuseRules, rulesColumn } from './pull-request-settings.ts'
import { refuseRecipeChange } from './refuse-recipe.ts'
import { refuseServiceFile } from './refuse-service-file.ts'

type Columns = Updateable<Tables['projects']>
type Updated = { readonly project: Project; readonly webhookSecret: Secret | undefined }

export async function updateProject(ctx: Context, actor: Actor, id: number, sent: ProjectChanges): Promise<Updated> {
  const changes = withOneLifetime(sent)
  await checkServiceFile(ctx, actor, id, changes)
  return ctx.change(actor, async (tx) => {
    const project = await lockForChange(tx, actor, { id, changes })
    await refuseRecipeChange(tx, actor, { project, changes })
    if (changes.pull_requests) refuseRules(project.pullRequestRules, changes.pull_requests)
    const move = moveRepository(ctx, project, changes)
    // A token that comes with the new address is the new host's.
    const columns = { ...move?.columns, ...columnsOf(ctx, project, changes) }
    refuseWithoutToken(project, columns)
    if (changes.owner_id !== undefined) {
      const { organizationId } = project
      await chooseOwner(tx, { organizationId, userId: changes.owner_id, pointer: '/owner_id' })
    }
    await moveDomains(ctx, tx, project, changes)
    if (changes.service_file !== undefined) await replaceServiceFile(tx, id, changes.service_file)
    if (changes.server_ids) await replaceServers(tx, project, changes.server_ids)
    const fields = [...fieldsOf(changes), ...(move ? ['webhook_secret', 'repository_key'] : [])]
    if (fields.length > 0) {
      await updateRow(tx, id, { ...columns, updated_at: ctx.clock() })
      await tx.audit({
        organizationId: project.organizationId,
        action: 'project.updated',
        target: { kind: 'project', id, name: project.name },
        fields,
      })
    }
    if (columns.pull_request_rules !== undefined) await applyChangedRules(tx, id)
    if (columns.expire_after_hours !== undefined) await notifyOfPullRequests(ctx, tx, id)
    if (changes.environment_limit !== undefined) tx.notify({ about: 'slots', id })
    if (fields.some((field) => AT_THE_EDGE.includes(field))) tx.notify({ about: 'routes' })
    if (project.isDeleting) await removeAgain(ctx, tx, actor, id)
    return { project: orNotFound(await findProjectAnywhere(tx, id), 'project'), webhookSecret: move?.secret }
  })
}

/** Outside of the transaction: its author controls how long that takes. */
async function checkServiceFile(ctx: Context, actor: Actor, id: number, changes: ProjectChanges): Promise<void> {
  const { service_file: content } = changes
  if (content == null) return
  const { organizationId, defaultRecipe } = orNotFound(await findProject(ctx.db, actor, id), 'project')
  demand(actor, 'administer', organizationId)
  await refuseServiceFile(ctx, { organizationId, recipe: changes.default_recipe ?? defaultRecipe, content })
}

/** Checks are read with a token of the project or of its connection. */
function refuseWithoutToken({ hasHostToken, connectionId }: Project, columns: Columns): void {
  if (columns.deploy_after !== 'checks') return
  const isTaken = columns.host_token_sealed === null && connectionId === null
  if ((hasHostToken && !isTaken) || columns.host_token_sealed) return
  throw InvalidField('/deploy_after', 'host_token_needed', CHECKS_NEED_TOKEN)
}

const CHECKS_NEED_TOKEN =
  'To wait for checks, the platform needs access to the git host. Set host_token, or use a connection'

/** Their comments say when their environments go. */
async function notifyOfPullRequests(ctx: Context, tx: Change, projectId: number): Promise<void> {
  for (const { pullRequest } of await listEnvironmentsOfProject(tx, projectId)) {
    if (pullRequest) await insertOutboxPullRequest(tx, { projectId, number: pullRequest.number, at: ctx.clock() })
  }
}

/** Reconciles at once, since the settings may have fixed a failure. */
async function removeAgain(ctx: Context, tx: Change, actor: Actor, id: number): Promise<void> {
  for (const environment of await listEnvironmentsOfProject(tx, id)) {
    if (activeTaskOf(environment.tasks)) continue
    await removeEnvironment(ctx, tx, environment, { by: actor, cause: causeOf(actor) })
  }
}

/** What edges hold depends on these: passwords, and which domains a certificate covers. */
const AT_THE_EDGE: readonly string[] = ['tls', 'basic_auth', 'domain', 'custom_domains']

/** A platform administrator reaches every project, for its limit alone; everything else is the organization's. */
async function lockForChange(
  tx: Change,
  actor: Actor,
  { id, changes }: { id: number; changes: ProjectChanges },
): Promise<Project> {
  const isLimitAlone = fieldsOf(changes).join() === 'environment_limit'
  const isForPlatform = isLimitAlone && actor.isPlatformAdmin && boundOrganization(actor) === null
  if (isForPlatform) await lockProject(tx, id)
  const project = isForPlatform
    ? orNotFound(await findProjectAnywhere(tx, id), 'project')
    : await findProjectForUpdate(tx, actor, { id, withMembers: changes.owner_id !== undefined })
  if (!isForPlatform) demand(actor, 'administer', project.organizationId)
  if (changes.environment_limit !== undefined && !actor.isPlatformAdmin) {
    throw Forbidden('Only a platform administrator can change the environment limit')
  }
  if (changes.owner_id !== undefined) demand(actor, 'own_organization', project.organizationId)
  if (project.isDeleting && !fieldsOf(changes).every((field) => REPAIRS.includes(field))) throw ProjectDeleting()
  return project
}

/** Removals may need the repository: for environments whose files are missing on the server. */
const REPAIRS: readonly string[] = ['repo_url', 'repository_host', 'host_token']

const fieldsOf = (changes: ProjectChanges): readonly string[] =>
  Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]))

function columnsOf(ctx: Context, project: Project, changes: ProjectChanges): Columns {
  const { name, repo_url, domain, repository_host, default_branch, default_recipe, custom_domains, tls } = changes
  const { basic_auth, fork_pull_requests, host_token, environment_limit, owner_id, expire_after, manual_recipe } =
    changes
  return {
    ...(name !== undefined && { name }),
    // Saving the address trusts its host again: the next connection pins the host's key.
    ...(repo_url !== undefined && {
      repo_url,
      repository_host_key: null,
      repository_external_id: null,
      is_file_rules_stale: 1,
    }),
    ...(domain !== undefined && { domain }),
    ...(repository_host !== undefined && { repository_host, is_host_guessed: 0 }),
    // Another branch may have other rules about pull requests.
    ...(default_branch !== undefined && { default_branch, is_file_rules_stale: 1 }),
    ...(default_recipe !== undefined && { default_recipe }),
    ...(manual_recipe !== undefined && { manual_recipe }),
    ...(custom_domains !== undefined && { custom_domains: JSON.stringify([...new Set(custom_domains)]) }),
    ...(tls !== undefined && { tls }),
    ...(basic_auth !== undefined && sealBasicAuth(ctx, project.hookId, basic_auth)),
    ...(fork_pull_requests !== undefined && { fork_pull_requests }),
    ...(host_token !== undefined && { host_token_sealed: sealHostToken(ctx, project.hookId, host_token) }),
    ...(environment_limit !== undefined && { environment_limit }),
    ...(owner_id !== undefined && { owner_id }),
    ...deployAfterColumns(changes),
    ...(changes.upload_variables !== undefined && { upload_variables: changes.upload_variables ? 1 : 0 }),
    ...(expire_after !== undefined && lifetimeColumns(ctx, project, expire_after)),
    ...(changes.pull_requests && rulesColumn(project.pullRequestRules, changes.pull_requests)),
  }
}

/** `expire_after` has two names and one value. */
function withOneLifetime(changes: ProjectChanges): ProjectChanges {
  const lifetime = changes.pull_requests?.expire_after
  if (lifetime === undefined) return changes
  if (changes.expire_after !== undefined && changes.expire_after !== lifetime)
    throw InvalidField('/pull_requests/expire_after', 'conflict', 'expire_after is the same setting; give one value')
  return { ...changes, expire_after: lifetime }
}

function deployAfterColumns({ deploy_after, deploy_after_checks, deploy_after_minutes }: ProjectChanges): Columns {
  return {
    ...(deploy_after !== undefined && { deploy_after }),
    ...(deploy_after_checks !== undefined && {
      deploy_after_checks: JSON.stringify([...new Set(deploy_after_checks)]),
    }),
    ...(deploy_after_minutes !== undefined && { deploy_after_minutes }),
  }
}

/** The same value is no change and does not extend the grace period. */
function lifetimeColumns(ctx: Context, project: Project, expireAfter: string | null): Columns {
  const hours = expireAfter === null ? null : (hoursOfLifetime(expireAfter) ?? null)
  return hours === project.expireAfterHours ? {} : { expire_after_hours: hours, expire_changed_at: ctx.clock() }
}

function sealHostToken(ctx: Context, hookId: string, token: string | null): string | null {
  return token === null ? null : ctx.box.seal(token, projectContext(hookId, 'host_token_sealed'))
}

/** The new host needs a new key and secret, so the old ones are useless. */
function moveRepository(ctx: Context, project: Project, { repo_url, repository_host }: ProjectChanges) {
  if (repo_url === undefined || (repo_url === project.repoUrl && project.connectionId !== null)) return undefined
  if (project.connectionId !== null)
    throw InvalidField(
      '/repo_url',
      'connected',
      'The repository belongs to the connection of this project. Make another project for another repository',
    )
  refuseRepositoryAddress(ctx, repo_url)
  if (!isOnAnotherHost(project.repoUrl, repo_url)) return undefined
  const { secret, sealed } = makeWebhookSecret(ctx, project.hookId)
  const columns = {
    ...makeRepositoryKey(ctx, project.hookId).columns,
    repository_host: repository_host ?? repositoryHostOf(repo_url),
    is_host_guessed: 1 as const,
    webhook_secret_sealed: sealed,
    earlier_webhook_secret_sealed: null,
    shares_webhook_secret: 0 as const,
    host_token_sealed: null,
  }
  return { secret, columns }
}

async function moveDomains(ctx: Context, tx: Change, project: Project, changes: ProjectChanges): Promise<void> {
  if (changes.domain === undefined && changes.custom_domains === undefined) return
  const wanted = {
    domain: changes.domain ?? project.domain,
    customDomains: changes.custom_domains ?? project.customDomains,
  }
  await claimProjectDomains(ctx, tx, { organizationId: project.organizationId, ...wanted })
  const outside = outsideOf(await listDomainsOfProject(tx, project.id), wanted)
  if (outside.length > 0) {
    const names = [...new Set(outside.map(({ environment }) => environment))].join(', ')
    throw InUse(`Environments answer at domains that the project would give up: ${names}. Move or delete them first`)
  }
}

async function replaceServers(tx: Change, project: Project, serverIds: readonly number[]): Promise<void> {
  const chosen = await chooseServers(tx, project.organizationId, serverIds)
  const environments = await listEnvironmentsOfProject(tx, project.id)
  const stranded = environments.filter(({ server }) => !chosen.includes(server.id))
  if (stranded.length > 0) {
    const names = stranded.map(({ name }) => name).join(', ')
    throw InUse(`Environments run on a server that the project would give up: ${names}. Move or delete them first`)
  }
  const moving = await listRoutedElsewhere(tx, project.id, chosen)
  if (moving.length > 0) {
    const names = moving.join(', ')
    throw InUse(`Environments were moved from a server that still serves them: ${names}. Deploy or delete them first`)
  }
  await updateServersOfProject(tx, project.id, chosen)
}
