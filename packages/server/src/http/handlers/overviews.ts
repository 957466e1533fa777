// Requests of pages that show many projects or tasks at a glance.
import { OVERVIEW_ENVIRONMENTS } from '@shipway/api/overviews'
import { listOverviews } from '../../store/projects/overviews.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentOverview } from '../present/overview.ts'

export const overviewHandlers = {
  listOverviews: async ({ ctx, actor, query, request }) => {
    const wanted = { ...pageRequest(query), mostEnvironments: OVERVIEW_ENVIRONMENTS }
    const { items, next } = await listOverviews(ctx.db, actor, wanted)
    return {
      body: items.map((overview) => presentOverview(ctx, overview)),
      headers: linkNext(request, next),
      // One that runs has lasted longer at every look.
      isLasting: items.every(({ latestTask }) => latestTask?.task.status !== 'running'),
    }
  },
} satisfies Handlers
