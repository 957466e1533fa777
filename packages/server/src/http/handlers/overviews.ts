// Requests of pages that show many projects or tasks at a glance.
import { OVERVIEW_ENVIRONMENTS } from '@shipway/api/overviews'
import { ACTIVE_TASKS_LISTED } from '@shipway/api/tasks'
import { listOverviews } from '../../store/projects/overviews.ts'
import { listActiveTasks } from '../../store/tasks/active-tasks.ts'
import { listSteps } from '../../store/tasks/steps.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentOverview } from '../present/overview.ts'
import { presentActiveTask } from '../present/task.ts'

export const overviewHandlers = {
  listOverviews: async ({ ctx, actor, query, request }) => {
    const wanted = { ...pageRequest(query), mostEnvironments: OVERVIEW_ENVIRONMENTS }
    const { items, next } = await listOverviews(ctx.db, actor, wanted)
    return {
      body: items.map((overview) => presentOverview(ctx, overview)),
      headers: linkNext(request, next),
      // One that runs has lasted longer at every look.
      isCacheable: items.every(({ latestTask }) => latestTask?.task.status !== 'running'),
    }
  },
  listActiveTasks: async ({ ctx, actor }) => {
    const tasks = await listActiveTasks(ctx.db, actor, ACTIVE_TASKS_LISTED)
    const steps = await listSteps(
      ctx.db,
      tasks.map((task) => task.id),
    )
    return {
      body: tasks.map((task) => presentActiveTask(ctx, task, steps.get(task.id))),
      isCacheable: tasks.every(({ status }) => status !== 'running'),
    }
  },
} satisfies Handlers
