// `shipway envs approve`: lets one commit of a pull request from a fork be deployed.
import { command, PROJECT_FLAGS, YES_FLAG } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import { findTarget } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { readWaiting, runDeployment, WAIT_FLAGS } from '../tasks/run-deployment.ts'
import { confirm } from '../terminal/confirm.ts'
import { plainText } from '../terminal/sanitize.ts'

export const envsApprove = command({
  words: [{ name: 'environment', description: 'its name or id' }],
  flags: {
    ...PROJECT_FLAGS,
    commit: { value: 'sha', description: 'full sha of the commit (default: the newest of the pull request)' },
    ...YES_FLAG,
    ...WAIT_FLAGS,
  },
  notes: 'Its code runs on your server, so read the commit first. A later commit needs an approval of its own.',
  examples: [
    ['shipway envs approve pr-231 -p bookshop', 'Names the commit, and asks'],
    ['shipway envs approve pr-231 -p bookshop --commit 4be1c07… --yes --wait', 'For a script'],
  ],
  run: async (ctx, { words: [name], flags }) => {
    const waiting = readWaiting(flags)
    const target = await findTarget(ctx, { project: flags.project, environment: name })
    const { pull_request: request } = target.environment
    const sha = flags.commit ?? request?.head_sha ?? undefined
    if (sha === undefined)
      throw new CommandError(`${targetTitle(target)} is not of a pull request, so it needs no approval`, {
        code: 'nothing_to_approve',
      })
    if (!/^[0-9a-f]{40}$/.test(sha)) throw UsageError(`${plainText(sha)} is not a full commit`, 'Give it with --commit')
    const what = `commit ${sha.slice(0, 12)} of ${request?.author ? plainText(request.author) : 'the pull request'}`
    await confirm(ctx, flags, {
      consequence: `${what} would be deployed to ${targetTitle(target)}`,
      question: `Deploy ${what} to ${targetTitle(target)}? Its code runs on your server.`,
      refusal: 'Nothing was approved',
    })
    const client = await ctx.client()
    const send = () => client.approveEnvironment({ params: { id: target.environment.id }, body: { commit_sha: sha } })
    return runDeployment(ctx, { target, waiting, send })
  },
})
