// The input of a task's program.
import type { Run } from '../deployment/run.ts'
import type { Lease } from '../store/tasks/task-queue.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'
import type { TaskSecrets } from './open-secrets.ts'

export type ProgramInput = {
  readonly task: TaskToRun
  readonly run: Run
  readonly lease: Lease
  readonly secrets: TaskSecrets
}
