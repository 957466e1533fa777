// Why a schedule that is due starts no run; the sentence is listed with the moment.
import { isBeingRemoved, type TaskFacts } from '../environment.ts'
import { TASK_KINDS } from '../tasks/task.ts'

type Facts = {
  readonly tasks: TaskFacts
  readonly isProjectDeleting: boolean
  readonly awaitsApproval: boolean
}

/** `activeRun`: the task of the same action that waits or runs. Deployments do not hold up actions. */
export function whySkipped(
  { tasks, isProjectDeleting, awaitsApproval }: Facts,
  activeRun: number | undefined,
): string | null {
  if (isProjectDeleting) return 'The project was being deleted'
  if (isBeingRemoved(tasks)) return 'The environment was being removed'
  if ([tasks.running, tasks.queued].some((task) => task && TASK_KINDS[task.kind].clearsEnvironment))
    return 'The environment was being reset'
  if (awaitsApproval) return 'The environment waited for an approval'
  if (!tasks.live) return 'Nothing was deployed'
  return activeRun === undefined ? null : `The previous run (task ${activeRun}) had not ended`
}
