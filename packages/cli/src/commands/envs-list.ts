// `shipway envs list`: the environments of a project, and what each is doing.
import type { Client, Environment, Task } from '@shipway/api'
import { command, PROJECT_FLAGS } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { report, say } from '../report.ts'
import { shellWord } from '../target/command-words.ts'
import { listEnvironments } from '../target/find-environment.ts'
import { findProject } from '../target/find-project.ts'
import { undefinedIfNotFound } from '../target/not-found.ts'
import { sinceOf, stateOf } from '../tasks/environment-state.ts'
import { plainText } from '../terminal/sanitize.ts'
import { tableLines } from '../terminal/table.ts'

export const envsList = command({
  flags: PROJECT_FLAGS,
  examples: [
    ['shipway envs list -p bookshop', 'Environments and their states'],
    ["shipway envs list --json | jq -r '.[].url'", 'Their addresses'],
  ],
  run: async (ctx, { flags }) => {
    const project = await findProject(ctx, flags)
    const client = await ctx.client()
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

/** By environment id. A task may have ended since the list was read. */
async function activeTasks(client: Client, environments: readonly Environment[]): Promise<ReadonlyMap<number, Task>> {
  const active = environments.flatMap(({ active_task: task }) => (task?.status === 'running' ? [task.id] : []))
  const tasks = await Promise.all(active.map((id) => client.getTask({ params: { id } }).catch(undefinedIfNotFound)))
  return new Map(tasks.flatMap((task) => (task ? [[task.environment_id, task]] : [])))
}
