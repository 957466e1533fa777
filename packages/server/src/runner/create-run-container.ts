// Creates the container of a one-off command for a terminal. The certificate of its user starts it, or the platform on its own machine.
import type { Context, RunContainerOrder, RunTerminalOrder } from '../context.ts'
import { InvalidField, ServerNotReached } from '../domain/errors.ts'
import type { RunTerminal } from '../domain/run-terminal.ts'
import { serverFolderOf } from '../domain/server-folder.ts'
import { StepFault } from '../domain/tasks/step-fault.ts'
import { RUN_CONTAINER } from '../remote/access/run-container-command.ts'
import { ask } from '../remote/ask.ts'
import { type Host, ServerUnreachable } from '../remote/host.ts'
import type { Hosts } from '../remote/hosts.ts'
import { runContainerProgram } from '../remote/output/output-scripts.ts'
import { withinDeadline } from '../remote/within-deadline.ts'
import { writeFile } from '../remote/write-file.ts'
import type { OneOff } from '../runtimes/runtime.ts'
import { runtimeOf } from '../runtimes/runtimes.ts'
import { loadRegistry } from './load-registry.ts'

/** A user waits for the answer. */
const TIMEOUT_MS = 30_000

/** Throws ServerNotReached, ServerTimeout, and InvalidField where no such service runs. */
export function createRunContainer(ctx: Context, hosts: Pick<Hosts, 'of'>, order: RunContainerOrder): Promise<void> {
  return withReasons(hosts.of(order.server), async (host) => {
    const folder = await findFolder(ctx, host, order)
    await writeFile(host, `${folder}/${RUN_CONTAINER}`, { content: runContainerProgram, isProgram: true })
    await create(ctx, { host, folder }, { ...order, input: order.hasTerminal ? 'terminal' : 'pipe' })
  })
}

/** Throws the same. */
export function openRunTerminal(ctx: Context, hosts: Pick<Hosts, 'of'>, order: RunTerminalOrder): Promise<RunTerminal> {
  const { server, container, size } = order
  if (server.connection !== 'local') throw new TypeError('The platform carries terminals of its own machine alone')
  return withReasons(hosts.of(server), async (host, signal) => {
    const folder = await findFolder(ctx, host, order)
    await create(ctx, { host, folder }, { ...order, input: size ? 'terminal' : 'pipe' })
    const terminal = await runtimeOf(server).attachOneOff(host, { container, size })
    // The user has been answered already.
    if (signal.aborted) await terminal.end()
    return terminal
  })
}

async function withReasons<Result>(
  host: Host,
  work: (host: Host, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  try {
    return await withinDeadline(host, TIMEOUT_MS, (signal) => work(host, signal))
  } catch (error) {
    if (error instanceof ServerUnreachable) throw ServerNotReached(error.stage, error.message)
    if (error instanceof StepFault) throw InvalidField('/service', 'no_container', error.message)
    throw error
  }
}

async function findFolder(ctx: Context, host: Host, { server }: Pick<RunContainerOrder, 'server'>) {
  const home = (await ask(host, ['pwd'], `The home folder on ${host.name} cannot be found`)).trim()
  return serverFolderOf(ctx, server, home)
}

type Creation = Omit<RunContainerOrder, 'hasTerminal'> &
  Pick<OneOff, 'input'> &
  Partial<Pick<RunTerminalOrder, 'size' | 'processId'>>

async function create(
  ctx: Context,
  { host, folder }: { readonly host: Host; readonly folder: string },
  { server, environmentId, servingTaskId, service, container, words, input, size, processId }: Creation,
): Promise<void> {
  const runtime = runtimeOf(server)
  const owner = { installationId: ctx.installationId, environmentId }
  const [program, ...others] = words
  if (program === undefined) throw new TypeError('A command has a first word')
  const search = { owner, service, servingTaskId, purpose: 'command' } as const
  const target = await runtime.findTarget({ host, say: () => undefined }, search)
  await runtime.createOneOff(host, target, {
    owner,
    taskId: null,
    container,
    words: [program, ...others],
    input,
    size,
    ...(processId !== undefined && { processId }),
    releases: `${folder}/environments/${environmentId}/releases`,
    registry: await loadRegistry(ctx, { environmentId, server }),
  })
}
