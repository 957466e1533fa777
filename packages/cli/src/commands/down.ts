// `shipway down`: removes the environment that `shipway up` made for this branch.
import { command, PROJECT_FLAGS, YES_FLAG } from '../command.ts'
import { findProjectOfCheckout } from '../target/find-project-of-checkout.ts'
import { findUploadTarget } from '../target/find-upload-target.ts'
import { runRemoval } from '../tasks/run-removal.ts'
import { findCheckout } from '../upload/make-commit.ts'

export const down = command({
  flags: {
    ...PROJECT_FLAGS,
    branch: { value: 'branch', description: 'the branch that it was made from (default: the current one)' },
    ...YES_FLAG,
    wait: { short: 'w', description: 'wait until it is removed; exit code 3 if the removal fails' },
  },
  notes: 'Removes only environments that you made with shipway up, with their containers, volumes and files.',
  examples: [
    ['shipway down', 'Asks first'],
    ['shipway down --yes --wait', 'For a script'],
    ['shipway down --branch feature/login', 'The one of another branch'],
  ],
  run: async (ctx, { flags }) => {
    const project = await findProjectOfCheckout(ctx, flags)
    const branch = flags.branch ?? (await findCheckout(ctx.folder, ctx.signal)).branch
    return runRemoval(ctx, await findUploadTarget(await ctx.client(), { project, branch }), flags)
  },
})
