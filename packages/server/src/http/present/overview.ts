// What a page that lists projects shows of one, as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import { statusOf } from '../../domain/environment.ts'
import { firstLineOf } from '../../domain/tasks/commit-message.ts'
import { durationOf } from '../../domain/tasks/task.ts'
import type { Overview } from '../../store/projects/overviews.ts'
import { presentTime } from './time.ts'

type OverviewAnswer = RouteAnswer<Routes['listOverviews']>[number]

export const presentOverview = (ctx: Pick<Context, 'clock'>, overview: Overview): OverviewAnswer => ({
  project_id: overview.id,
  environments: overview.environments.map((environment) => ({
    id: environment.id,
    name: environment.name,
    title: environment.title,
    status: statusOf(environment),
  })),
  waiting_count: overview.waitingCount,
  latest_task: overview.latestTask && presentLatestTask(ctx, overview.latestTask),
})

function presentLatestTask(
  ctx: Pick<Context, 'clock'>,
  { task, phase }: NonNullable<Overview['latestTask']>,
): NonNullable<OverviewAnswer['latest_task']> {
  return {
    id: task.id,
    environment: { id: task.environmentId, name: task.environmentName },
    kind: task.kind,
    status: task.status,
    reason: task.reason,
    cause: task.cause,
    started_by: task.startedBy && { id: task.startedBy.id, name: task.startedBy.name },
    created_at: presentTime(task.createdAt),
    started_at: presentTime(task.startedAt),
    finished_at: presentTime(task.finishedAt),
    duration_ms: durationOf(task, ctx.clock()),
    phase,
    message: firstLineOf(task.commit?.message ?? null),
  }
}
