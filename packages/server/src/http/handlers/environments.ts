// Requests about environments.
import { EndpointRemoved } from '../../domain/errors.ts'
import { causeOf } from '../../domain/tasks/cause.ts'
import { isEnvironmentWatched, watchEnvironment } from '../../operations/alerts/watch-environment.ts'
import { approveEnvironment } from '../../operations/environments/approve-environment.ts'
import { createEnvironment } from '../../operations/environments/create-environment.ts'
import { deleteEnvironment } from '../../operations/environments/delete-environment.ts'
import { extendEnvironment } from '../../operations/environments/extend-environment.ts'
import { updateEnvironment } from '../../operations/environments/update-environment.ts'
import { orNotFound } from '../../operations/or-not-found.ts'
import { rollBackEnvironment } from '../../operations/tasks/roll-back-environment.ts'
import { startDeployment } from '../../operations/tasks/start-deployment.ts'
import { findEnvironment, findEnvironmentUse, listEnvironments } from '../../store/environments/environments.ts'
import { listServices } from '../../store/environments/services.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentEnvironment } from '../present/environment.ts'
import { presentService } from '../present/service.ts'
import { presentTask } from '../present/task.ts'
import { presentTraffic } from '../present/traffic.ts'

export const environmentHandlers = {
  listEnvironments: async ({ ctx, actor, params, query, request }) => {
    const { used, limit } = orNotFound(await findEnvironmentUse(ctx.db, actor, params.id), 'project')
    const { items, next } = await listEnvironments(ctx.db, params.id, pageRequest(query))
    return {
      body: items.map((environment) => presentEnvironment(ctx, environment)),
      headers: { ...linkNext(request, next), 'x-service-environments': `${used}/${limit}` },
      isCacheable: true,
    }
  },
  createEnvironment: async ({ ctx, actor, params, body }) => {
    const environment = await createEnvironment(ctx, actor, { projectId: params.id, wanted: body })
    const location = `/api/environments/${environment.id}`
    return { body: presentEnvironment(ctx, environment), headers: { location } }
  },
  getEnvironment: async ({ ctx, actor, params }) => ({
    body: presentEnvironment(ctx, orNotFound(await findEnvironment(ctx.db, actor, params.id), 'environment')),
  }),
  listServices: async ({ ctx, actor, params }) => {
    const { id } = orNotFound(await findEnvironment(ctx.db, actor, params.id), 'environment')
    return { body: (await listServices(ctx.db, id)).map(presentService) }
  },
  getWatch: async ({ ctx, actor, params }) => ({
    body: { watched: await isEnvironmentWatched(ctx, actor, params.id) },
  }),
  watchEnvironment: async ({ ctx, actor, params }) => {
    await watchEnvironment(ctx, actor, { environmentId: params.id, isWatched: true })
    return {}
  },
  unwatchEnvironment: async ({ ctx, actor, params }) => {
    await watchEnvironment(ctx, actor, { environmentId: params.id, isWatched: false })
    return {}
  },
  getTraffic: async ({ ctx, actor, params }) => ({
    body: presentTraffic(ctx, orNotFound(await findEnvironment(ctx.db, actor, params.id), 'environment')),
  }),
  updateEnvironment: async ({ ctx, actor, params, body }) => ({
    body: presentEnvironment(ctx, await updateEnvironment(ctx, actor, { id: params.id, changes: body })),
  }),
  deleteEnvironment: async ({ ctx, actor, params, body }) => {
    const deletion = { id: params.id, abandonServer: body?.abandon_server === true }
    const task = await deleteEnvironment(ctx, actor, deletion)
    return { body: presentTask(ctx, task), headers: { location: `/api/tasks/${task.id}` } }
  },
  approveEnvironment: async ({ ctx, actor, params, body }) => {
    const task = await approveEnvironment(ctx, actor, { id: params.id, commit: body.commit_sha })
    return { body: presentTask(ctx, task), headers: { location: `/api/tasks/${task.id}` } }
  },
  resetEnvironment: async ({ ctx, actor, params }) => {
    const start = { cause: causeOf(actor), kind: 'reset' as const }
    const task = await startDeployment(ctx, actor, params.id, start)
    return { body: presentTask(ctx, task), headers: { location: `/api/tasks/${task.id}` } }
  },
  rollBackEnvironment: async ({ ctx, actor, params, body }) => {
    const task = await rollBackEnvironment(ctx, actor, { environmentId: params.id, taskId: body.task_id })
    return { body: presentTask(ctx, task), headers: { location: `/api/tasks/${task.id}` } }
  },
  extendEnvironment: async ({ ctx, actor, params }) => ({
    body: presentEnvironment(ctx, await extendEnvironment(ctx, actor, params.id)),
  }),
  readRemovedLogs: async () => {
    throw EndpointRemoved(
      'v1.11.2',
      'This endpoint was removed. Read container logs with `shipway logs`, or ask for a certificate with ' +
        'POST /api/servers/{id}/ssh and read them over ssh',
    )
  },
} satisfies Handlers
