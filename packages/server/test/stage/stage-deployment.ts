// A deployment for each test of a describe block, taken from the queue and not begun.
import { buildDeployment, takeNext } from '../deployments.ts'
import type { TestApp } from '../test-app.ts'
import { builtBeforeEach } from './built-before.ts'

export function stageDeployment(app: TestApp) {
  const built = builtBeforeEach(() => buildDeployment(app.ctx))
  const lease = builtBeforeEach(() => takeNext(app.ctx))
  const taskOf = () =>
    app.ctx.db.selectFrom('tasks').where('id', '=', built.taskId).selectAll().executeTakeFirstOrThrow()
  const stepsOf = () =>
    app.ctx.db.selectFrom('steps').where('task_id', '=', built.taskId).orderBy('id').selectAll().execute()
  return { built, lease, taskOf, stepsOf }
}
