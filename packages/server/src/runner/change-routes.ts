// Switches the routes of an environment: first in the records, then at the edge of its server.
//
// A task keeps the server that it ran on, and a domain leads to the server of the task that switched it: a moved environment is served by the
// old server until the new one has switched.
import type { Context } from '../context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import { LostLease } from '../progress/progress.ts'
import { violatedUnique } from '../store/database.ts'
import { listServiceRoutes, replaceRoutes, type ServiceRoute } from '../store/environments/routes.ts'
import { type Lease, lockLease } from '../store/tasks/task-queue.ts'
import { updateRouting } from '../store/tasks/task-states.ts'
import { findRouting, type TaskRouting } from '../store/tasks/tasks.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'

type RouteChange = {
  readonly task: TaskToRun
  readonly routes: readonly ServiceRoute[]
  /** Which routing time of the task to set, in the transaction that writes the routes. */
  readonly fact: keyof TaskRouting
}

/**
 * If the edge cannot be updated, the records are reverted, so that they keep saying what serves. Returns the addresses of managers that were
 * left out, because they could not be reached.
 */
export async function changeRoutes(
  ctx: Context,
  dependencies: RunnerDependencies,
  lease: Lease,
  { task, routes, fact }: RouteChange,
): Promise<readonly string[]> {
  const environmentId = task.environment.id
  const earlier = await listServiceRoutes(ctx.db, environmentId)
  const routing = await findRouting(ctx.db, lease.taskId)
  await write(ctx, lease, { environmentId, routes, routing: { ...routing, [fact]: ctx.clock() } })
  try {
    return await dependencies.edges.apply(task.server)
  } catch (error) {
    await write(ctx, lease, { environmentId, ...earlier, routing, isBroughtBack: true })
    throw error
  }
}

type RouteRecords = {
  readonly environmentId: number
  readonly routes: readonly ServiceRoute[]
  readonly taskId?: number
  readonly routing: TaskRouting
  readonly isBroughtBack?: boolean
}

async function write(ctx: Context, lease: Lease, { taskId, routes, routing, ...of }: RouteRecords): Promise<void> {
  try {
    await ctx.change(PLATFORM, async (tx) => {
      // A worker that has lost the task must not switch routes.
      if (!(await lockLease(tx, lease))) throw new LostLease('Another worker has the task')
      await replaceRoutes(tx, { ...of, taskId: taskId ?? lease.taskId, routes, at: ctx.clock() })
      await updateRouting(tx, lease.taskId, routing)
    })
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error
    throw CheckFailed(
      `Another environment has taken one of these domains meanwhile: ${routes.map(({ domain }) => domain).join(', ')}. ` +
        'Deploy again to see which',
    )
  }
}
