// Removes an environment, and waits for the end if asked. Shared by `envs remove` and `down`.
import type { Client } from '@shipway/api'
import { CommandError } from '../command-error.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { shellWord } from '../target/command-words.ts'
import type { Target } from '../target/find-environment.ts'
import { targetTitle } from '../target/target-title.ts'
import { type Confirmation, confirm } from '../terminal/confirm.ts'
import { verdict } from './failure-report.ts'
import { waitForTask } from './wait-for-task.ts'

type RemovalFlags = { readonly yes: boolean; readonly wait: boolean; readonly abandonServer?: boolean }

export async function runRemoval(ctx: Context, target: Target, flags: RemovalFlags): Promise<ExitCode> {
  const title = targetTitle(target)
  const { id } = target.environment
  const client = await ctx.client()
  if (flags.abandonServer) await demandFailedRemoval(client, target)
  await confirm(ctx, flags, flags.abandonServer ? abandonmentOf(title) : removalOf(title))
  const task = await client.deleteEnvironment({
    params: { id },
    ...(flags.abandonServer && { body: { abandon_server: true } }),
  })
  if (!flags.wait) {
    say(ctx, `${title} is being removed: task ${task.id}`)
    report(ctx, task, () => [task.url])
    return EXIT.done
  }
  const ended = await waitForTask(ctx, { task, title, timeoutMs: undefined })
  report(ctx, ended, () => [])
  if (ended.status !== 'succeeded') {
    throw new CommandError(verdict(ended), {
      code: `removal_${ended.status}`,
      exitCode: EXIT.deploymentFailed,
      advice: [
        `Log: shipway tasks log ${task.id}`,
        `If the server is gone for good: shipway envs remove ${id} --abandon-server`,
      ],
    })
  }
  say(ctx, '', `${title} was removed.`)
  return EXIT.done
}

/** A server is given up only after a removal failed there: before, an environment can be removed from it. */
async function demandFailedRemoval(client: Client, target: Target): Promise<void> {
  const { project, environment } = target
  const tasks = await client.listTasks({ params: { id: environment.id }, query: { limit: 100 } })
  const newest = tasks.find(({ kind }) => kind !== 'action' && kind !== 'run')
  if (newest?.kind === 'remove' && (newest.status === 'failed' || newest.status === 'canceled')) return
  throw new CommandError(`The newest task of ${targetTitle(target)} is not a failed removal`, {
    code: 'removal_not_failed',
    advice: [
      `Remove it first: shipway envs remove ${shellWord(environment.name)} -p ${shellWord(project.name)} --wait`,
    ],
  })
}

const removalOf = (title: string): Confirmation => ({
  consequence: `${title} would be removed with its data`,
  question: `Remove ${title} with its containers, volumes and files?`,
  refusal: 'Nothing was removed',
})

const abandonmentOf = (title: string): Confirmation => ({
  consequence: `${title} would be removed, and everything on its server would stay there`,
  question: `Remove ${title}, and leave everything that is on its server there?`,
  refusal: 'Nothing was removed',
})
