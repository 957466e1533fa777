// `shipway envs list`: the environments of a project, and what each is doing.
import type { Client, Environment, Project, Task } from '@shipway/api'
import { command, PROJECT_FLAGS } from '../command.ts'
import type { Context } from '../context.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { shellWord } from '../target/command-words.ts'
import { listEnvironments } from '../target/find-environment.ts'
import { findProject } from '../target/find-project.ts'
import { undefinedIfNotFound } from '../target/not-found.ts'
import { sinceOf, stateOf } from '../tasks/environment-state.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'
import { ago } from '../terminal/times.ts'

export const envsList = command({
  flags: { ...PROJECT_FLAGS, removed: { description: 'those that were removed last, and by whom or why' } },
  examples: [
    ['shipway envs list -p bookshop', 'Environments and their states'],
    ["shipway envs list --json | jq -r '.[].url'", 'Their addresses'],
    ['shipway envs list -p bookshop --removed', 'What was removed, and why'],
  ],
  run: async (ctx, { flags }) => {
    const project = await findProject(ctx, flags)
    const client = await ctx.client()
    if (flags.removed) return listRemoved(ctx, client, project)
    const environments = await listEnvironments(client, project.id)
    const tasks = ctx.flags.json ? new Map<number, Task>() : await activeTasks(client, environments)
    report(ctx, environments, () => {
      if (environments.length === 0)
        return [`No environments yet. Create one: shipway envs create main -p ${shellWord(project.name)}`]
      const rows = environments.map((environment) => {
        const task = tasks.get(environment.id)
        const { name, domain } = environment
        return [plainText(name), stateOf(environment, task), plainText(domain), sinceOf(environment, task)]
      })
      return tableLines({ head: ['NAME', 'STATE', 'ADDRESS', 'DEPLOYED'], rows }, ctx.out.size()?.columns)
    })
    say(ctx, `${environments.length}/${project.environment_limit} environments`)
    return EXIT.done
  },
})

async function listRemoved(ctx: Context, client: Client, { id }: Project): Promise<ExitCode> {
  const removed = await client.listRemovedEnvironments({ params: { id } })
  report(ctx, removed, () => {
    if (removed.length === 0) return ['No environment was removed']
    const rows = removed.map((each) => [
      plainText(each.name),
      ago(each.removed_at),
      plainText(each.because ?? (each.removed_by ? `by ${each.removed_by.name}` : '')),
      each.task_id === null ? '' : String(each.task_id),
    ])
    return tableLines({ head: ['NAME', 'REMOVED', 'WHY', 'TASK'], rows }, ctx.out.size()?.columns)
  })
  return EXIT.done
}

/** By environment id. A task may have ended since the list was read. */
async function activeTasks(client: Client, environments: readonly Environment[]): Promise<ReadonlyMap<number, Task>> {
  const active = environments.flatMap(({ active_task: task }) => (task?.status === 'running' ? [task.id] : []))
  const tasks = await Promise.all(active.map((id) => client.getTask({ params: { id } }).catch(undefinedIfNotFound)))
  return new Map(tasks.flatMap((task) => (task ? [[task.environment_id, task]] : [])))
}
