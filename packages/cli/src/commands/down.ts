// `shipway down`: removes the environment that `shipway up` made for this branch.
import { command, PROJECT_FLAGS, YES_FLAG } from '../command.ts'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT } from '../exit-code.ts'
import { listNames } from '../target/find-by-name.ts'
import { listEnvironments, type Target } from '../target/find-environment.ts'
import { findProjectOfCheckout } from '../target/find-project-of-checkout.ts'
import { runRemoval } from '../tasks/run-removal.ts'
import { plainText } from '../terminal/sanitize.ts'
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
  run: async (ctx, { flags }) => runRemoval(ctx, await findOwn(ctx, flags), flags),
})

type Wanted = { readonly project: string | undefined; readonly branch: string | undefined }

async function findOwn(ctx: Context, flags: Wanted): Promise<Target> {
  const project = await findProjectOfCheckout(ctx, flags)
  const branch = flags.branch ?? (await findCheckout(ctx.folder, ctx.signal)).branch
  const client = await ctx.client()
  const { id } = await client.getMe()
  const own = (await listEnvironments(client, project.id)).filter(({ upload }) => upload?.by.id === id)
  const environment = own.find((each) => each.branch === branch)
  if (environment) return { project, environment }
  const branches = own.map((each) => plainText(each.branch))
  throw new CommandError(
    `${plainText(project.name)} has no environment that you made with shipway up from ${plainText(branch)}`,
    {
      code: 'environment_not_found',
      exitCode: EXIT.notFound,
      advice: branches.length === 0 ? [] : ['Give --branch:', '', ...listNames('environment', branches)],
    },
  )
}
