// An environment as JSON, with what its tasks say about it.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import { activeTaskOf, statusOf, urlOf } from '../../domain/environment.ts'
import { expiryOf } from '../../domain/expiry.ts'
import { limitsOf } from '../../domain/limits.ts'
import { answersNow } from '../../domain/service-state.ts'
import { haveVariablesChanged } from '../../domain/variables.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { presentState } from './service.ts'
import { presentTime } from './time.ts'

type EnvironmentAnswer = RouteAnswer<Routes['getEnvironment']>

export function presentEnvironment(ctx: Pick<Context, 'config'>, environment: Environment): EnvironmentAnswer {
  const { pullRequest, server, basicAuth, tasks } = environment
  const addressed = { tls: environment.tls, edge: server.edge, baseUrl: ctx.config.baseUrl }
  const active = activeTaskOf(tasks)
  return {
    id: environment.id,
    project_id: environment.projectId,
    name: environment.name,
    title: environment.title,
    type: environment.type,
    pull_request: pullRequest && {
      number: pullRequest.number,
      title: pullRequest.title,
      url: pullRequest.url,
      author: pullRequest.author,
      state: pullRequest.state,
      head_sha: pullRequest.headSha,
      is_fork: environment.isFork,
    },
    branch: environment.branch,
    recipe: environment.recipe,
    effective_recipe: environment.effectiveRecipe,
    server: { id: server.id, name: server.name, hostname: server.hostname },
    domain: environment.domain,
    url: urlOf(environment.domain, addressed),
    services: environment.services.map((service) => ({
      name: service.name,
      domain: service.domain,
      url: urlOf(service.domain, addressed),
      ...presentState(service),
    })),
    protected: environment.isProtected,
    sticky: environment.isSticky,
    auto_deploy: environment.autoDeploy,
    basic_auth: basicAuth && { username: basicAuth.username, inherited: basicAuth.isInherited },
    limits: presentLimits(environment),
    owner: { id: environment.owner.id, name: environment.owner.name },
    status: statusOf(environment),
    locked: active !== null,
    active_task: active && { id: active.id, status: active.status, kind: active.kind },
    last_task: presentLast(tasks.last),
    last_deployment: presentLast(tasks.lastDeployment),
    live: presentLive(environment),
    variables_changed: haveVariablesChanged(environment.variablesVersion, tasks.variablesVersion),
    created_at: presentTime(environment.createdAt),
    updated_at: presentTime(environment.updatedAt),
    waiting_for_checks: presentWait(environment.checkWait),
    expires_at: presentTime(expiryOf(environment)),
    schedules: environment.schedules,
    upload: presentUpload(environment.upload),
  }
}

function presentWait(wait: Environment['checkWait']): EnvironmentAnswer['waiting_for_checks'] {
  return (
    wait && {
      state: wait.state,
      commit_sha: wait.sha,
      since: presentTime(wait.since),
      deadline_at: presentTime(wait.deadlineAt),
      checks: [...wait.openChecks],
    }
  )
}

function presentUpload(upload: Environment['upload']): EnvironmentAnswer['upload'] {
  return (
    upload && {
      by: { id: upload.by.id, name: upload.by.name },
      commit_sha: upload.commitSha,
      head_sha: upload.headSha,
      created_at: presentTime(upload.createdAt),
    }
  )
}

function presentLast(last: Environment['tasks']['last']): EnvironmentAnswer['last_task'] {
  return last && { id: last.id, status: last.status, finished_at: presentTime(last.finishedAt) }
}

function presentLive({ services, tasks: { live, lastEndedId } }: Environment): EnvironmentAnswer['live'] {
  if (!live) return null
  const answers = answersNow(services, lastEndedId)
  return { task_id: live.id, commit_sha: live.commitSha, since: presentTime(live.finishedAt), answers }
}

function presentLimits({ type, limits: own }: Environment): EnvironmentAnswer['limits'] {
  const { cpus, memoryBytes, processes } = limitsOf(type, own)
  const defaults = [
    ...(own.cpus === null ? (['cpus'] as const) : []),
    ...(own.memoryBytes === null ? (['memory_mb'] as const) : []),
    ...(own.processes === null ? (['processes'] as const) : []),
  ]
  return { cpus, memory_mb: memoryBytes && memoryBytes / 1024 ** 2, processes, defaults }
}
