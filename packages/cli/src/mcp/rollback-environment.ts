// `rollback_environment`: deploys an earlier version again, from the images that are still on the server.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { findEarlierDeployment } from '../tasks/find-earlier-deployment.ts'
import { EnvironmentInput, findNamedEnvironment } from './named-environment.ts'
import { StartedTask, startedTask } from './started-task.ts'
import { tool } from './tool.ts'

export const rollbackEnvironment = tool({
  name: 'rollback_environment',
  title: 'Go back to an earlier deployment',
  description:
    'Use it to deploy an earlier version again, only if the user wants that. Goes back to the deployment before the live one, or to one ' +
    'of the last three that succeeded. Returns the task as soon as it is queued: ask get_deploy_diagnostics how it went.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    ...EnvironmentInput,
    task: z.int().positive().optional().describe('Number of the deployment to go back to'),
  }),
  output: StartedTask,
  run: async (ctx, { task, ...named }) => {
    const target = await findNamedEnvironment(ctx, named)
    const client = await ctx.client()
    const task_id = task ?? (await findEarlierDeployment(client, target)).id
    const idempotencyKey = randomUUID()
    const request = { params: { id: target.environment.id }, body: { task_id }, idempotencyKey }
    return startedTask(await sendIdempotent(() => client.rollBackEnvironment(request), ctx.signal), target)
  },
})
