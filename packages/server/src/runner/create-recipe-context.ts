// Creates the context of a recipe: what it may read and change in the records and at the edge, limited to this task.
import type { Context } from '../context.ts'
import { balanceGroups } from '../domain/balance-groups.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import { sortOrphans } from '../domain/tasks/task-orphans.ts'
import { recordCommit, recordServiceFile } from '../progress/progress.ts'
import type { RecipeContext } from '../recipes/recipe-context.ts'
import { runtimeOf } from '../runtimes/runtimes.ts'
import { withDeadline } from '../scheduling/deadline.ts'
import { listTakenDomains } from '../store/environments/domains.ts'
import { allocatePorts, claimPorts, type SlotPort } from '../store/environments/ports.ts'
import { findUpload, listUploadedCommits, readUpload } from '../store/environments/uploads.ts'
import { updateRepositoryHostKey } from '../store/projects/projects.ts'
import { listEnvironmentTasks, listGone } from '../store/tasks/orphans.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'
import { changeRoutes } from './change-routes.ts'
import { loadRegistry } from './load-registry.ts'
import type { ProgramInput } from './program-input.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'

export async function createRecipeContext(
  ctx: Context,
  dependencies: RunnerDependencies,
  { task, lease, secrets }: Pick<ProgramInput, 'task' | 'lease' | 'secrets'>,
): Promise<RecipeContext> {
  const { environment, server } = task
  const runtime = runtimeOf(server)
  const reserved = reservedPorts(ctx, server)
  const cacheKey = `${server.id}/${environment.id}`
  const allocate = async (request: Allocation): Promise<readonly SlotPort[]> => {
    const range = runtime.listUpstreams ? balanceGroups : ctx.config.portRange
    const owner = { serverId: server.id, environmentId: environment.id }
    const ports = await allocatePorts(ctx.db, { ...owner, ...request, range, reserved: [...reserved.keys()] })
    if (!ports) throw CheckFailed(`${server.name} has no free port left between ${range.first} and ${range.last}`)
    return ports
  }
  return {
    source: dependencies.source,
    runtime,
    registry: await loadRegistry(ctx, { environmentId: environment.id, server }),
    composeConfigs: {
      find: (inputs) => dependencies.composeConfigs.find(cacheKey, inputs),
      keep: (text, inputs) => dependencies.composeConfigs.store(cacheKey, text, inputs),
    },
    freeDisk: () =>
      runtime.freeDisk(dependencies.hosts.of(server), {
        installationId: ctx.installationId,
        cacheGigabytes: 0,
        goneOf: (ids) => listGone(ctx.db, server.id, ids),
      }),
    countStreams: (ports) => dependencies.edges.countStreams(server, ports),
    balance: (joining) => dependencies.edges.balance(server, joining),
    retryLeftOut: () => dependencies.edges.retryLeftOut(server),
    restoreUpload: async (repository, sha, io) => {
      const upload = await findUpload(ctx.db, environment.id, sha)
      if (!upload) throw CheckFailed(`What was uploaded as ${sha.slice(0, 12)} is no longer kept. Run shipway up again`)
      const stored = {
        sha,
        base: upload.baseSha,
        pack: () => readUpload(ctx.db, upload.id),
        listStored: (sent: readonly string[]) => listUploadedCommits(ctx.db, repository.projectId, sent),
      }
      await dependencies.source.restoreUpload(repository, stored, io)
    },
    noteCommit: (commit) => recordCommit(ctx, lease, { ...commit, message: secrets.mask.text(commit.message) }),
    noteServiceFile: (content) => recordServiceFile(ctx, lease, content),
    onRepositoryHostKey: (projectId, hostKey) =>
      ctx.change(PLATFORM, (tx) => updateRepositoryHostKey(tx, projectId, hostKey)),
    listTakenDomains: (domains) => listTakenDomains(ctx.db, { environmentId: environment.id, domains }),
    claimPorts: async (ports) => {
      const ours = new Map([...reserved].filter(([port]) => ports.includes(port)))
      if (ours.size > 0) return ours
      const taken = await claimPorts(ctx.db, { serverId: server.id, environmentId: environment.id, ports })
      return new Map(taken.map((one) => [one.port, `the environment ${one.environment} of the project ${one.project}`]))
    },
    allocatePorts: (services, seen) => {
      if (runtime.listUpstreams)
        throw CheckFailed(
          `${server.name} runs containers on several machines. Deploy this environment with the docker recipe`,
        )
      const names = services.filter(({ port }) => port === null).map(({ name }) => name)
      return allocate({ services: names, slots: ['a'], ...(seen && { seen }) })
    },
    allocateSlots: (services, { slots, ...seen }) => allocate({ services, slots, seen }),
    switchRoutes: (routes) => changeRoutes(ctx, dependencies, lease, { task, routes, fact: 'switchedAt' }),
    visit: (route) =>
      withDeadline(dependencies.edges.visit(server, route), MAX_VISIT_MS, () => undefined).catch((error: unknown) => {
        ctx.log.warn({ err: error, taskId: task.id }, 'the address of an environment could not be requested')
        return undefined
      }),
    removeRoutes: () => changeRoutes(ctx, dependencies, lease, { task, routes: [], fact: 'unroutedAt' }),
    afterwards: (work) =>
      ctx.afterwards(async () => {
        const problems = await work()
        if (problems.length > 0)
          ctx.log.warn({ taskId: task.id, problems }, 'the old release was not removed completely')
      }),
    orphansOf: async (taskIds) => {
      const [known] = await listEnvironmentTasks(ctx.db, server.id, [environment.id])
      return known ? sortOrphans(known, taskIds) : { live: [], kept: [], over: [] }
    },
  }
}

/** Includes the connection to the server; the request itself has two seconds. */
const MAX_VISIT_MS = 3_000

type Allocation = Pick<Parameters<typeof allocatePorts>[1], 'services' | 'slots' | 'seen'>

/** Ports of a server that no environment may use, with their owners. A route to one of these ports would lead back to the edge. */
function reservedPorts(
  { config }: Pick<Context, 'config'>,
  { connection, edge }: TaskToRun['server'],
): ReadonlyMap<number, string> {
  const ports = new Map<number, string>()
  if (edge === 'haproxy')
    for (const port of EDGE_PORTS) ports.set(port, 'the edge of the server, which answers visitors there')
  if (connection === 'local') ports.set(config.port, 'the platform, which listens there')
  return ports
}

/** Ports of HAProxy on a server that was set up by the platform's script. */
const EDGE_PORTS = [80, 443]
