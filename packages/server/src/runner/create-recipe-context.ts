// Opens the context of a recipe: what it may ask and change of the records and the edges, for this task alone.

import type { Context } from '../context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import { sortOrphans } from '../domain/tasks/task-orphans.ts'
import { recordCommit } from '../progress/progress.ts'
import { prune } from '../recipes/docker/images/prune.ts'
import type { RecipeContext } from '../recipes/recipe-context.ts'
import { withDeadline } from '../scheduling/deadline.ts'
import { listTakenDomains } from '../store/environments/domains.ts'
import { allocatePorts, claimPorts, type SlotPort } from '../store/environments/ports.ts'
import { updateRepositoryHostKey } from '../store/projects/projects.ts'
import { listEnvironmentTasks, listGone } from '../store/tasks/orphans.ts'
import { changeRoutes } from './change-routes.ts'
import type { RunnerDependencies } from './runner-dependencies.ts'
import { reservedPorts } from './reserved-ports.ts'
import type { ProgramInput } from './program-input.ts'

export function createRecipeContext(
  ctx: Context,
  parts: RunnerDependencies,
  { task, lease, secrets }: Pick<ProgramInput, 'task' | 'lease' | 'secrets'>,
): RecipeContext {
  const { environment, server } = task
  const reserved = reservedPorts(ctx, server)
  const cacheKey = `${server.id}/${environment.id}`
  const allot = async (what: Allocation): Promise<readonly SlotPort[]> => {
    const { portRange: range } = ctx.config
    const whose = { serverId: server.id, environmentId: environment.id }
    const wanted = { ...whose, ...what, range, reserved: [...reserved.keys()] }
    const ports = await allocatePorts(ctx.db, wanted)
    if (!ports) throw CheckFailed(`${server.name} has no free port left between ${range.first} and ${range.last}`)
    return ports
  }
  return {
    source: parts.source,
    composeConfigs: {
      find: (inputs) => parts.composeConfigs.find(cacheKey, inputs),
      keep: (text, inputs) => parts.composeConfigs.store(cacheKey, text, inputs),
    },
    freeDisk: () =>
      prune(parts.hosts.of(server), {
        installationId: ctx.installationId,
        cacheGigabytes: 0,
        goneOf: (ids) => listGone(ctx.db, server.id, ids),
      }),
    countStreams: (ports) => parts.edges.countStreams(server, ports),
    noteCommit: (commit) => recordCommit(ctx, lease, { ...commit, message: secrets.mask.text(commit.message) }),
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
      const names = services.filter(({ port }) => port === null).map(({ name }) => name)
      return allot({ services: names, slots: ['a'], ...(seen && { seen }) })
    },
    allocateSlots: (services, seen) => allot({ services, slots: ['a', 'b'], seen }),
    switchRoutes: (routes) => changeRoutes(ctx, parts, lease, { task, routes, fact: 'switchedAt' }),
    visit: (route) =>
      withDeadline(parts.edges.visit(server, route), MOST_VISIT_MS, () => undefined).catch((error: unknown) => {
        ctx.log.warn({ err: error, taskId: task.id }, 'the address of an environment could not be asked for')
        return undefined
      }),
    removeRoutes: () => changeRoutes(ctx, parts, lease, { task, routes: [], fact: 'unroutedAt' }),
    afterwards: (work) =>
      ctx.afterwards(async () => {
        const told = await work()
        if (told.length > 0) ctx.log.warn({ taskId: task.id, told }, 'not all of the old version went as it should')
      }),
    orphansOf: async (taskIds) => {
      const [known] = await listEnvironmentTasks(ctx.db, server.id, [environment.id])
      return known ? sortOrphans(known, taskIds) : { live: [], kept: [], over: [] }
    },
  }
}

/** With the way to the server; the request itself has two seconds. */
const MOST_VISIT_MS = 3_000

type Allocation = Pick<Parameters<typeof allocatePorts>[1], 'services' | 'slots' | 'seen'>
