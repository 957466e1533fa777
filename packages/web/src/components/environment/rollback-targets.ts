// What an environment can be rolled back to: the platform keeps the last deployments that succeeded since nothing was taken away.
import type { Environment, Task } from '@shipway/api'

/** As many as a server keeps the images of. */
const KEPT = 3

type Candidate = Pick<Task, 'id' | 'kind' | 'status'>

/** Newest first, as the platform lists tasks. What serves now is none of them. */
export function rollbackTargets<One extends Candidate>(
  tasks: readonly One[],
  { live }: Pick<Environment, 'live'>,
): readonly One[] {
  const kept: One[] = []
  for (const task of tasks) {
    const isDeployment = task.kind === 'deploy' || task.kind === 'reset'
    if (isDeployment && task.status === 'succeeded') kept.push(task)
    // Whatever came before was taken away, or may have been.
    if ((task.kind === 'reset' || task.kind === 'remove') && task.status !== 'canceled') break
  }
  return kept.slice(0, KEPT).filter(({ id }) => id !== live?.task_id)
}
