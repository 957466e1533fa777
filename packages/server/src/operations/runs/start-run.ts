// Queues a one-off command. Dashboard, API and client all use this.
import type { TaskCause } from '@shipway/api/tasks'
import { commandLine } from '@shipway/api/values/command-line'
import type { Context } from '../../context.ts'
import { runCommandContext } from '../../domain/encryption-context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { maskWords } from '../../secrets/mask-words.ts'
import { Secret } from '../../secrets/secret.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { insertTask } from '../../store/tasks/task-states.ts'
import type { Task } from '../../store/tasks/tasks.ts'
import { findEnvironmentForUpdate } from '../environments/find-environment-for-update.ts'
import { orNotFound } from '../or-not-found.ts'
import { recordRefusal } from '../record-refusal.ts'
import { storeTask } from '../tasks/store-task.ts'
import { demandRun } from './demand-run.ts'

type OneOff = {
  readonly environmentId: number
  readonly command: readonly string[]
  readonly service: string | undefined
  readonly cause: TaskCause
}

/** Returns once the task is stored. Running deployments, actions and other commands do not block it. */
export async function startRun(ctx: Context, actor: Actor, { environmentId, command, ...run }: OneOff): Promise<Task> {
  const seen = orNotFound(await findEnvironment(ctx.db, actor, environmentId), 'environment')
  const target = { kind: 'environment', id: environmentId, name: seen.name }
  const attempt = { organizationId: seen.organizationId, action: 'run.start_refused', target }
  await recordRefusal(ctx, actor, attempt, async () => demandRun(actor, seen))
  // Takes time for long secrets, so it is not part of the transaction.
  const masked = maskWords(await ctx.openLogMask(seen), command)
  return storeTask(ctx, () =>
    ctx.change(actor, async (tx) => {
      const environment = await findEnvironmentForUpdate(tx, actor, { id: environmentId })
      demandRun(actor, environment)
      await tx.audit({
        organizationId: environment.organizationId,
        action: 'run.started',
        target,
        fields: [commandLine(masked), ...(run.service === undefined ? [] : [run.service])],
      })
      return insertTask(tx, {
        environment_id: environmentId,
        kind: 'run',
        command: JSON.stringify(masked),
        command_sealed: ctx.box.seal(new Secret(JSON.stringify(command)), runCommandContext(environmentId)),
        service: run.service ?? null,
        cause: run.cause,
        started_by: actor.userId,
        branch: environment.branch,
        commit_sha: environment.tasks.live?.commitSha ?? null,
        created_at: ctx.clock(),
      })
    }),
  )
}
