// Requests about tasks, and about why one failed.
import { warningsOf } from '@shipway/api/values/task-warnings'
import { LogExpired } from '../../domain/errors.ts'
import { causeOf } from '../../domain/tasks/cause.ts'
import { RUNS_COUNTED, usualDurations } from '../../domain/tasks/durations.ts'
import { isFinal, type Step } from '../../domain/tasks/task.ts'
import { haveVariablesChanged } from '../../domain/variables.ts'
import { orNotFound } from '../../operations/or-not-found.ts'
import { cancelTask } from '../../operations/tasks/cancel-task.ts'
import { readFailedOutput } from '../../operations/tasks/read-failed-output.ts'
import { startDeployment } from '../../operations/tasks/start-deployment.ts'
import { listFailedOrders } from '../../store/projects/certificate-orders.ts'
import { listSteps } from '../../store/tasks/steps.ts'
import {
  findLatestDeployment,
  findTask,
  findTaskEnvironment,
  listSucceededDeployments,
  listTasks,
} from '../../store/tasks/tasks.ts'
import type { Handlers } from '../handler.ts'
import { answerFollowing } from '../logs/answer-following.ts'
import { answerTaskLog } from '../logs/task-log.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentDiagnostics } from '../present/diagnostics.ts'
import { presentDurations } from '../present/durations.ts'
import { presentTask } from '../present/task.ts'

export const taskHandlers = {
  listTasks: async ({ ctx, actor, params, query, request }) => {
    const { id } = orNotFound(await findTaskEnvironment(ctx.db, actor, params.id), 'environment')
    const { status, kind, ...position } = query
    const { limit, before } = pageRequest(position)
    const page = { limit, before: earlier(before, query.before) }
    const { items, next } = await listTasks(ctx.db, id, { status, kind, ...page })
    const steps = await listSteps(
      ctx.db,
      items.map((task) => task.id),
    )
    return {
      body: items.map((task) => presentTask(ctx, task, steps.get(task.id))),
      headers: linkNext(request, next),
      // One that runs has lasted longer at every look.
      isCacheable: items.every(({ status }) => isFinal(status)),
    }
  },
  startDeployment: async ({ ctx, actor, params, body }) => {
    const start = { cause: causeOf(actor), commit: body?.commit, branch: body?.branch }
    const task = await startDeployment(ctx, actor, params.id, start)
    return { body: presentTask(ctx, task), headers: { location: `/api/tasks/${task.id}` } }
  },
  cancelTask: async ({ ctx, actor, params }) => {
    const task = await cancelTask(ctx, actor, params.id)
    const steps = await listSteps(ctx.db, [task.id])
    return { body: presentTask(ctx, task, steps.get(task.id)) }
  },
  readTaskLog: async ({ ctx, actor, params, query, request }) => {
    const task = orNotFound(await findTask(ctx.db, actor, params.id), 'task')
    if (task.outputExpiredAt !== null) throw LogExpired(task.finishedAt, task.outputExpiredAt)
    const wanted = { task, offset: query.offset, request }
    return query.follow === '1' ? answerFollowing(ctx, { actor, ...wanted }) : answerTaskLog(ctx, wanted)
  },
  getTask: async ({ ctx, actor, params }) => {
    const task = orNotFound(await findTask(ctx.db, actor, params.id), 'task')
    const steps = await listSteps(ctx.db, [task.id])
    return { body: presentTask(ctx, task, steps.get(task.id)) }
  },
  getDiagnostics: async ({ ctx, actor, params }) => {
    const environment = orNotFound(await findTaskEnvironment(ctx.db, actor, params.id), 'environment')
    const latest = await findLatestDeployment(ctx.db, environment.id)
    const failed = await findLatestDeployment(ctx.db, environment.id, 'failed')
    const started = await findLatestDeployment(ctx.db, environment.id, 'started')
    const succeeded = latest?.status === 'succeeded' ? latest : undefined
    const both = [failed, succeeded].flatMap((task) => task?.id ?? [])
    const stepsOf = both.length > 0 ? await listSteps(ctx.db, both) : new Map<number, readonly Step[]>()
    const steps = failed && stepsOf.get(failed.id)
    const findings = {
      environmentId: environment.id,
      latest,
      warnings: warningsOf((succeeded && stepsOf.get(succeeded.id)) ?? []),
      failed,
      steps: steps ?? [],
      output: failed?.outputExpiredAt === null ? await readFailedOutput(ctx, failed.id) : undefined,
      failedOrders: await listFailedOrders(ctx.db, environment.id),
      haveVariablesChanged: haveVariablesChanged(environment.variablesVersion, started?.variablesVersion ?? null),
    }
    return { body: presentDiagnostics(ctx, findings) }
  },
  getDurations: async ({ ctx, actor, params }) => {
    const { id } = orNotFound(await findTaskEnvironment(ctx.db, actor, params.id), 'environment')
    const deployments = await listSucceededDeployments(ctx.db, id, RUNS_COUNTED)
    const steps = await listSteps(
      ctx.db,
      deployments.map((task) => task.id),
    )
    const runs = deployments.map((task) => ({ task, steps: steps.get(task.id) ?? [] }))
    return { body: presentDurations(id, usualDurations(runs)), isCacheable: true }
  },
} satisfies Handlers

/** The cursor goes on from within what `before` allows. */
function earlier(cursor: number | undefined, before: number | undefined): number | undefined {
  return cursor !== undefined && before !== undefined ? Math.min(cursor, before) : (cursor ?? before)
}
