// Deployments that an environment can be rolled back to.
import type { Environment, Task } from '@shipway/api'

/** The server keeps the images of this many deployments. */
const KEPT = 3

type Candidate = Pick<Task, 'id' | 'kind' | 'status'>

/**
 * Newest first, as the API lists tasks. The live deployment is not included. Neither is one that has just succeeded while the environment, which
 * may arrive after its task, still has it as active: it is the live one.
 */
export function rollbackTargets<One extends Candidate>(
  tasks: readonly One[],
  { live, active_task: active }: Pick<Environment, 'live' | 'active_task'>,
): readonly One[] {
  const kept: One[] = []
  for (const task of tasks) {
    const isDeployment = task.kind === 'deploy' || task.kind === 'reset'
    if (isDeployment && task.status === 'succeeded') kept.push(task)
    // A reset or removal deleted, or may have deleted, everything before it.
    if ((task.kind === 'reset' || task.kind === 'remove') && task.status !== 'canceled') break
  }
  return kept.slice(0, KEPT).filter(({ id }) => id !== live?.task_id && id !== active?.id)
}
