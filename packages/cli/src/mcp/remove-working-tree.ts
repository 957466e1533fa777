// `remove_working_tree`: removes the environment that `deploy_working_tree` made for a branch, as `shipway down` does.
import { z } from 'zod'
import { findProjectOfCheckout } from '../target/find-project-of-checkout.ts'
import { findUploadTarget } from '../target/find-upload-target.ts'
import { CheckoutInput, findCheckoutInside } from './named-checkout.ts'
import { StartedTask, startedTask } from './started-task.ts'
import { tool } from './tool.ts'

export const removeWorkingTree = tool({
  name: 'remove_working_tree',
  title: 'Remove the environment of the working tree',
  description:
    'Use it when changes that deploy_working_tree deployed are no longer tried out. Removes the environment with its containers, volumes ' +
    'and files, and never one that deploy_working_tree or shipway up did not make for this user. Returns the task as soon as it is queued.',
  // It names a branch, so that a second call could remove what was deployed in between.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    ...CheckoutInput,
    branch: z
      .string()
      .min(1)
      .max(250)
      .optional()
      .describe('The branch that it was deployed from; the current one unless given'),
  }),
  output: StartedTask,
  run: async (ctx, { branch: named, ...flags }) => {
    const branch = named ?? (await findCheckoutInside(ctx)).branch
    const project = await findProjectOfCheckout(ctx, flags)
    const client = await ctx.client()
    const target = await findUploadTarget(client, { project, branch })
    return startedTask(await client.deleteEnvironment({ params: { id: target.environment.id } }), target)
  },
})
