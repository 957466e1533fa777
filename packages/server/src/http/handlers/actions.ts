// Requests about actions, and about the files that their runs left.
import { causeOf } from '../../domain/tasks/cause.ts'
import { findRun } from '../../operations/actions/find-run.ts'
import { openArtifact } from '../../operations/actions/open-artifact.ts'
import { runAction } from '../../operations/actions/run-action.ts'
import { orNotFound } from '../../operations/or-not-found.ts'
import { listArtifacts } from '../../store/actions/artifacts.ts'
import { listActions } from '../../store/actions/environment-actions.ts'
import { listLastRuns } from '../../store/actions/last-runs.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { listNewestMoments } from '../../store/schedules/schedule-moments.ts'
import { answerArtifact } from '../artifacts/answer-artifact.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentAction, presentArtifact } from '../present/action.ts'
import { presentTask } from '../present/task.ts'

export const actionHandlers = {
  listActions: async ({ ctx, actor, params }) => {
    const { id } = orNotFound(await findEnvironment(ctx.db, actor, params.id), 'environment')
    const actions = await listActions(ctx.db, id)
    const runs = await listLastRuns(ctx.db, id)
    const moments = Map.groupBy(await listNewestMoments(ctx.db, id), ({ action }) => action)
    const body = actions.map((action) =>
      presentAction(action, { last: runs.get(action.name), moments: moments.get(action.name) ?? [] }),
    )
    return { body, isCacheable: true }
  },
  runAction: async ({ ctx, actor, params: { id: environmentId, name } }) => {
    const task = await runAction(ctx, actor, { environmentId, name, cause: causeOf(actor) })
    return { body: presentTask(ctx, task), headers: { location: `/api/tasks/${task.id}` } }
  },
  listArtifacts: async ({ ctx, actor, params, query, request }) => {
    const { id } = await findRun(ctx, actor, params.id)
    const { items, next } = await listArtifacts(ctx.db, id, pageRequest(query))
    return { body: items.map((artifact) => presentArtifact(ctx, artifact)), headers: linkNext(request, next) }
  },
  downloadArtifact: async ({ ctx, actor, params, request }) =>
    answerArtifact(ctx, { artifact: await openArtifact(ctx, actor, params.id), userId: actor.userId, request }),
} satisfies Handlers
