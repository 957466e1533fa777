// A project as JSON. Of its secrets, only the public half of the repository key is in it.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import { lifetimeOfHours } from '@shipway/api/values/lifetime'
import type { Context } from '../../context.ts'
import { webhookUrl } from '../../domain/project.ts'
import type { Secret } from '../../secrets/secret.ts'
import { signingTokenOf } from '../../secrets/webhook-signature.ts'
import type { Project } from '../../store/projects/projects.ts'
import { presentEffectiveRules, presentFileRules, presentRules } from './pull-request-rules.ts'
import { presentTime } from './time.ts'

export function presentProject(ctx: Pick<Context, 'config'>, project: Project): RouteAnswer<Routes['getProject']> {
  return {
    id: project.id,
    name: project.name,
    repo_url: project.repoUrl,
    domain: project.domain,
    environment_count: project.environmentCount,
    servers: project.servers.map(({ id, name, hostname }) => ({ id, name, hostname })),
    organization_id: project.organizationId,
    repository_host: project.repositoryHost,
    default_recipe: project.defaultRecipe,
    environment_limit: project.environmentLimit,
    default_branch: project.defaultBranch,
    custom_domains: [...project.customDomains],
    basic_auth: project.basicAuthUsername === null ? null : { username: project.basicAuthUsername },
    tls: project.tls,
    owner: { id: project.owner.id, name: project.owner.name },
    status: project.isDeleting ? 'deleting' : 'active',
    status_reason: project.statusReason,
    has_host_token: project.hasHostToken,
    fork_pull_requests: project.forkPullRequests,
    repository_key: project.repositoryPublicKey,
    webhook_url: webhookUrl(ctx.config.baseUrl, project.hookId),
    created_at: presentTime(project.createdAt),
    environments_used: project.environmentsUsed,
    deploy_after: project.deployAfter,
    deploy_after_checks: [...project.deployAfterChecks],
    deploy_after_minutes: project.deployAfterMinutes,
    upload_variables: project.uploadVariables,
    expire_after: project.expireAfterHours === null ? null : lifetimeOfHours(project.expireAfterHours),
    manual_recipe: project.manualRecipe,
    connection_id: project.connectionId,
    repository_access: presentAccess(project),
    pull_requests: presentRules(project.pullRequestRules, project.expireAfterHours),
    pull_requests_file: presentFile(project),
    service_file_digest: project.serviceFileDigest,
    effective_rules: presentEffectiveRules(project),
  }
}

function presentAccess({ repositoryAccess: access }: Project): RouteAnswer<Routes['getProject']>['repository_access'] {
  if (!access) return null
  const status = access.error === null ? (access.provenAt === null ? 'pending' : 'ready') : 'failing'
  return { status, reason: access.error, proven_at: presentTime(access.provenAt) }
}

function presentFile({ fileRules }: Project): RouteAnswer<Routes['getProject']>['pull_requests_file'] {
  const { sha, rules, fault } = fileRules
  return sha === null ? null : { commit_sha: sha, rules: presentFileRules(rules), fault }
}

/** For the one answer that shows the secret. */
export function presentWebhook(
  ctx: Pick<Context, 'config'>,
  project: Project,
  secret: Secret,
): RouteAnswer<Routes['regenerateWebhookSecret']> {
  return {
    url: webhookUrl(ctx.config.baseUrl, project.hookId),
    secret: secret.reveal(),
    signing_token: project.repositoryHost === 'gitlab' ? signingTokenOf(secret) : null,
  }
}
