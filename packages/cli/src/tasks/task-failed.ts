import type { Task } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-code.ts'
import { verdict } from './failure-report.ts'

/** For --json: the code names the kind of the task and how it ended, such as `run_failed`. */
export const TaskFailed = (kind: 'run' | 'action' | 'deployment', task: Task): CommandError =>
  new CommandError(verdict(task), {
    code: `${kind}_${task.status}`,
    exitCode: EXIT.deploymentFailed,
    fields: { task_id: task.id, failed_step: task.failed_step, reason: task.reason },
  })
