// `deploy_environment`: starts a deployment.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { sendIdempotent } from '../http/send-idempotent.ts'
import { EnvironmentInput, findNamedEnvironment } from './named-environment.ts'
import { StartedTask, startedTask } from './started-task.ts'
import { tool } from './tool.ts'

export const deployEnvironment = tool({
  name: 'deploy_environment',
  title: 'Deploy an environment',
  description:
    'Use it to start a deployment, only if the user wants one. Returns the task as soon as it is queued, and does not wait for its end: ' +
    'ask get_deploy_diagnostics how it went. It is an error if a deployment is already queued or running; the error names its task.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    ...EnvironmentInput,
    commit: z
      .string()
      .regex(/^[0-9a-f]{40}$/)
      .optional()
      .describe('All 40 digits of a commit; the newest one of the branch unless given'),
    branch: z.string().optional().describe("Another branch than the environment's, for this deployment alone"),
  }),
  output: StartedTask,
  run: async (ctx, { commit, branch, ...named }) => {
    const target = await findNamedEnvironment(ctx, named)
    const client = await ctx.client()
    const { id } = target.environment
    const idempotencyKey = randomUUID()
    const body = { ...(commit && { commit }), ...(branch && { branch }) }
    const send = () => client.startDeployment({ params: { id }, body, idempotencyKey })
    return startedTask(await sendIdempotent(send, ctx.signal), target)
  },
})
