// An environment that is gone, as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { RemovedEnvironment } from '../../store/environments/removed-environments.ts'
import { presentTime } from './time.ts'

export function presentRemovedEnvironment(
  environment: RemovedEnvironment,
): RouteAnswer<Routes['listRemovedEnvironments']>[number] {
  const { id, name, removedAt, taskId, removedBy, because } = environment
  return {
    id,
    name,
    removed_at: presentTime(removedAt),
    task_id: taskId,
    because,
    removed_by: removedBy && { id: removedBy.id, name: removedBy.name },
  }
}
