// Creates the container of a one-off command for a terminal. The certificate of its user starts it, and nothing else can.
import type { Context, RunContainerOrder } from '../context.ts'
import { InvalidField, ServerNotReached } from '../domain/errors.ts'
import { serverFolderOf } from '../domain/server-folder.ts'
import { StepFault } from '../domain/tasks/step-fault.ts'
import { RUN_CONTAINER } from '../remote/access/run-container-command.ts'
import { ask } from '../remote/ask.ts'
import { type Host, ServerUnreachable } from '../remote/host.ts'
import type { Hosts } from '../remote/hosts.ts'
import { runContainerProgram } from '../remote/output/output-scripts.ts'
import { withinDeadline } from '../remote/within-deadline.ts'
import { writeFile } from '../remote/write-file.ts'
import { runtimeOf } from '../runtimes/runtimes.ts'

/** A user waits for the answer. */
const PATIENCE_MS = 30_000

/** Throws ServerNotReached, ServerTimeout, and InvalidField where no such service runs. */
export async function createRunContainer(
  ctx: Pick<Context, 'config' | 'installationId'>,
  hosts: Pick<Hosts, 'of'>,
  order: RunContainerOrder,
): Promise<void> {
  const host = hosts.of(order.server)
  try {
    await withinDeadline(host, PATIENCE_MS, () => create(ctx, host, order))
  } catch (error) {
    if (error instanceof ServerUnreachable) throw ServerNotReached(error.stage, error.message)
    if (error instanceof StepFault) throw InvalidField('/service', 'no_container', error.message)
    throw error
  }
}

async function create(
  ctx: Pick<Context, 'config' | 'installationId'>,
  host: Host,
  { server, environmentId, servingTaskId, service, container, words, hasTerminal }: RunContainerOrder,
): Promise<void> {
  const runtime = runtimeOf(server)
  const owner = { installationId: ctx.installationId, environmentId }
  const home = (await ask(host, ['pwd'], `The home folder on ${host.name} cannot be found`)).trim()
  const folder = serverFolderOf(ctx, server, home)
  const [program, ...others] = words
  if (program === undefined) throw new TypeError('A command has a first word')
  await writeFile(host, `${folder}/${RUN_CONTAINER}`, { content: runContainerProgram, isProgram: true })
  await runtime.removeUnusedOneOffs(host, owner)
  const search = { owner, service, servingTaskId, purpose: 'command' } as const
  const target = await runtime.findTarget({ host, say: () => undefined }, search)
  await runtime.createOneOff(host, target, {
    ...{ owner, taskId: null, container, words: [program, ...others], input: hasTerminal ? 'terminal' : 'pipe' },
    releases: `${folder}/environments/${environmentId}/releases`,
  })
}
