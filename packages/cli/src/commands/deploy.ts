// `shipway deploy`: starts a deployment, and waits for it with --wait.
import { command, TARGET_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import { findTarget } from '../target/find-environment.ts'
import { readWaiting, runDeployment, WAIT_FLAGS } from '../tasks/run-deployment.ts'
import { plainText } from '../terminal/sanitize.ts'

export const deploy = command({
  flags: {
    ...TARGET_FLAGS,
    commit: { value: 'sha', description: 'commit to deploy (all 40 digits; default: the newest of the branch)' },
    branch: {
      value: 'branch',
      description: "deploy the newest commit of this branch once, instead of the environment's",
    },
    ...WAIT_FLAGS,
  },
  notes:
    'With a file .shipway ({"project": "bookshop"}) in the repository you can leave out -p and -e: the environment is then\n' +
    'the one that follows the current branch. Ctrl-C while waiting detaches; the deployment goes on.',
  examples: [
    ['shipway deploy -p bookshop -e staging', 'Start a deployment'],
    ['shipway deploy -p bookshop -e staging --branch hotfix', 'Deploy another branch once'],
    ['url=$(shipway deploy --wait)', 'Wait for it; the address is all that goes to standard output'],
    ['shipway deploy -e pr-214 --wait --timeout 15m --json', 'For a script'],
  ],
  run: async (ctx, { flags }) => {
    const waiting = readWaiting(flags)
    const commit = flags.commit === undefined ? undefined : readSha(flags.commit)
    const { branch } = flags
    const target = await findTarget(ctx, flags)
    const client = await ctx.client()
    const params = { id: target.environment.id }
    const body = { ...(commit && { commit }), ...(branch && { branch }) }
    const send = (idempotencyKey: string) => client.startDeployment({ params, body, idempotencyKey })
    return runDeployment(ctx, { target, waiting, send })
  },
})

function readSha(text: string): string {
  if (/^[0-9a-f]{40}$/.test(text)) return text
  throw UsageError(
    `--commit ${plainText(text)} is not a full commit`,
    'Give all 40 digits: --commit $(git rev-parse HEAD)',
  )
}
