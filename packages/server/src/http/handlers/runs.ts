// Requests about one-off commands.
import { causeOf } from '../../domain/tasks/cause.ts'
import { startRun } from '../../operations/runs/start-run.ts'
import type { Handlers } from '../handler.ts'
import { presentTask } from '../present/task.ts'

export const runHandlers = {
  startRun: async ({ ctx, actor, params: { id: environmentId }, body: { command, service } }) => {
    const task = await startRun(ctx, actor, { environmentId, command, service, cause: causeOf(actor) })
    return { body: presentTask(ctx, task), headers: { location: `/api/tasks/${task.id}` } }
  },
} satisfies Handlers
