// Gathers what a one-off command with a terminal needs, before its certificate is issued or the platform opens it.
import { commandLine } from '@shipway/api/values/command-line'
import { runsContainers } from '@shipway/api/values/recipe-facts'
import type { Context, RunContainerOrder } from '../../context.ts'
import { InvalidField, NothingServes } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { maskWords } from '../../secrets/mask-words.ts'
import { findServing } from '../../store/actions/environment-actions.ts'
import type { AuditEntry } from '../../store/audit-events.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import type { Server } from '../../store/servers/servers.ts'
import { orNotFound } from '../or-not-found.ts'

export type PreparedRun = Omit<RunContainerOrder, 'server' | 'container' | 'hasTerminal'> & {
  /** Its words, with values of variables masked. */
  readonly audit: Pick<AuditEntry, 'target' | 'fields'>
}

type RunRequest = {
  readonly environment_id?: number | undefined
  readonly command?: readonly string[] | undefined
  readonly service?: string | undefined
}
type OnServer = { readonly server: Pick<Server, 'id'>; readonly request: RunRequest }

export async function prepareRun(ctx: Context, actor: Actor, { server, request }: OnServer): Promise<PreparedRun> {
  const { command: words, service } = request
  if (words === undefined) throw InvalidField('/command', 'required', 'command is missing')
  const environment = orNotFound(await findEnvironment(ctx.db, actor, request.environment_id ?? 0), 'environment')
  const { id: environmentId, name } = environment
  const serving = await findServing(ctx.db, { environmentId, serverId: server.id })
  if (!serving) throw NothingServes()
  // The recipe of what serves: another one may have been chosen for the next deployment.
  if (!runsContainers[serving.recipe ?? environment.effectiveRecipe])
    throw InvalidField('/environment_id', 'manual_recipe', NO_CONTAINERS)
  const masked = maskWords(await ctx.openLogMask(environment), words)
  return {
    environmentId,
    servingTaskId: serving.taskId,
    service: service ?? environment.services[0]?.name ?? null,
    words,
    audit: {
      target: { kind: 'environment', id: environmentId, name },
      fields: [commandLine(masked), ...(service === undefined ? [] : [service])],
    },
  }
}

const NO_CONTAINERS =
  'This environment is deployed by the manual recipe, which has no containers. Run the command with --detach, or open a shell with shipway ssh'
