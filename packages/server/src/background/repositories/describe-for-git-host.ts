// Tasks and environments as the texts at git hosts describe them, from the current records.
import type { Context } from '../../context.ts'
import { urlOf } from '../../domain/environment.ts'
import { expiryOf } from '../../domain/expiry.ts'
import type { FeedbackEnvironment, FeedbackTask } from '../../domain/repository/feedback.ts'
import { durationOf, failedStepOf } from '../../domain/tasks/task.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { listSteps } from '../../store/tasks/steps.ts'
import type { Task } from '../../store/tasks/tasks.ts'

export async function describeTask(ctx: Context, task: Task): Promise<FeedbackTask & { readonly id: number }> {
  const steps = (await listSteps(ctx.db, [task.id])).get(task.id) ?? []
  const failed = failedStepOf(steps)
  return {
    id: task.id,
    kind: task.kind,
    status: task.status,
    reason: task.reason,
    commitSha: task.commit?.sha ?? null,
    url: `${pageOf(ctx, task.environmentId)}/tasks/${task.id}`,
    durationMs: durationOf(task, ctx.clock()),
    failedStep: failed ? { phase: failed.phase, name: failed.name, message: failed.message } : null,
  }
}

export function describeEnvironment(
  ctx: Context,
  environment: Environment,
): FeedbackEnvironment & { readonly id: number } {
  const { id, name, services, awaitsApproval, checkWait } = environment
  return {
    id,
    name,
    url: addressOf(ctx, environment, environment.domain),
    page: pageOf(ctx, id),
    services: services.map((service) => ({ name: service.name, url: addressOf(ctx, environment, service.domain) })),
    awaitsApproval,
    checkWait,
    expiresAt: expiryOf(environment),
  }
}

const pageOf = (ctx: Context, environmentId: number): string => `${ctx.config.baseUrl}/environments/${environmentId}`

const addressOf = (ctx: Context, { tls, server }: Environment, domain: string): string =>
  urlOf(domain, { tls, edge: server.edge, baseUrl: ctx.config.baseUrl })
