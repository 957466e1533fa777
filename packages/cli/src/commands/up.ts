// `shipway up`: deploys the working tree as it is to an environment of the user's own.
import type { Project, Upload } from '@shipway/api'
import { hoursOfLifetime } from '@shipway/api/values/lifetime'
import { fileSize } from '../artifacts/file-size.ts'
import { command, PROJECT_FLAGS } from '../command.ts'
import { UsageError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { say } from '../report.ts'
import { findProjectOfCheckout } from '../target/find-project-of-checkout.ts'
import { targetTitle } from '../target/target-title.ts'
import { asInProgress, followDeployment, readWaiting, WAIT_FLAGS } from '../tasks/run-deployment.ts'
import { plainText } from '../terminal/sanitize.ts'
import { counted, findCheckout } from '../upload/make-commit.ts'
import { type PackedTree, sendWorkingTree } from '../upload/send-working-tree.ts'

export const up = command({
  flags: {
    ...PROJECT_FLAGS,
    expires: { value: 'duration', description: 'remove it after this time, from 1h to 7d (default 1d)' },
    detach: { short: 'd', description: 'do not wait for the deployment' },
    timeout: WAIT_FLAGS.timeout,
  },
  notes:
    'Sends the files that git would commit: tracked files as they are now, and new files that are not ignored. Ignored files are\n' +
    'never sent, and neither is the history. Nothing is committed, staged or pushed. The environment is called up-{you}-{branch};\n' +
    'each shipway up deploys it again and restarts its time. Without -p, the project is the one with a remote of this checkout.',
  examples: [
    ['shipway up', 'Deploy the working tree; prints the address'],
    ['shipway up --expires 3d', 'Keep it for three days'],
    ['url=$(shipway up)', 'The address is all that goes to standard output'],
    ['shipway down', 'Remove it'],
  ],
  run: async (ctx, { flags }) => {
    const waiting = readWaiting({ wait: !flags.detach, timeout: flags.timeout })
    const expires = readLifetime(flags.expires)
    const project = await findProjectOfCheckout(ctx, flags)
    const { environment, task } = await send(ctx, project, expires).catch(async (error: unknown) => {
      throw (await asInProgress(ctx, error)) ?? error
    })
    const target = { project, environment }
    if (waiting) say(ctx, `Deploying to ${targetTitle(target)}`)
    return followDeployment(ctx, { target, waiting, task })
  },
})

function readLifetime(text = '1d'): string {
  if ((hoursOfLifetime(text) ?? Number.POSITIVE_INFINITY) <= MOST_HOURS) return text
  throw UsageError(`--expires ${plainText(text)} is not a duration from 1h to 7d`, 'Give one such as 12h or 3d')
}

const MOST_HOURS = 7 * 24

async function send(ctx: Context, project: Project, expires: string): Promise<Upload> {
  const checkout = await findCheckout(ctx.folder, ctx.signal)
  const onPacked = ({ changedFiles, bytes }: PackedTree): void => {
    const changed = `${counted(changedFiles, 'file')} changed since ${checkout.head.slice(0, 7)}`
    say(ctx, `Sending ${plainText(checkout.branch)}, ${changed}: ${fileSize(bytes)}`)
  }
  return sendWorkingTree(ctx, { checkout, project, expires, onPacked })
}
