// Opens the doors of a recipe: what it may ask and change of the records and the edges, for this task alone.
import type { Context } from '../context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import { sortRemains } from '../domain/tasks/task-remains.ts'
import { withDeadline } from '../pacing/deadline.ts'
import { noteCommit } from '../progress/progress.ts'
import type { Doors } from '../recipes/doors.ts'
import { listTakenDomains } from '../store/environments/domains.ts'
import { allotPorts, claimPorts, type SlotPort } from '../store/environments/ports.ts'
import { updateRepositoryHostKey } from '../store/projects/projects.ts'
import { listEnvironmentTasks } from '../store/tasks/remains.ts'
import { changeRoutes } from './change-routes.ts'
import type { RunnerParts } from './parts.ts'
import { reservedPorts } from './reserved-ports.ts'
import { pruneServer } from './tidying/prune-servers.ts'
import type { TaskWork } from './work.ts'

export function openDoors(
  ctx: Context,
  parts: RunnerParts,
  { task, lease, secrets }: Pick<TaskWork, 'task' | 'lease' | 'secrets'>,
): Doors {
  const { environment, server } = task
  const reserved = reservedPorts(ctx, server)
  const place = `${server.id}/${environment.id}`
  const allot = async (what: Allotment): Promise<readonly SlotPort[]> => {
    const { portRange: range } = ctx.config
    const whose = { serverId: server.id, environmentId: environment.id }
    const wanted = { ...whose, ...what, range, reserved: [...reserved.keys()] }
    const ports = await allotPorts(ctx.db, wanted)
    if (!ports) throw CheckFailed(`${server.name} has no free port left between ${range.first} and ${range.last}`)
    return ports
  }
  return {
    source: parts.source,
    printedModels: {
      find: (inputs) => parts.printed.find(place, inputs),
      keep: (text, inputs) => parts.printed.keep(place, text, inputs),
    },
    freeDisk: () => pruneServer(ctx, { host: parts.hosts.of(server), serverId: server.id, cacheGigabytes: 0 }),
    countStreams: (ports) => parts.edges.countStreams(server, ports),
    noteCommit: (commit) => noteCommit(ctx, lease, { ...commit, message: secrets.mask.text(commit.message) }),
    onRepositoryHostKey: (projectId, hostKey) =>
      ctx.change(PLATFORM, (tx) => updateRepositoryHostKey(tx, projectId, hostKey)),
    listTakenDomains: (domains) => listTakenDomains(ctx.db, { environmentId: environment.id, domains }),
    claimPorts: async (ports) => {
      const ours = new Map([...reserved].filter(([port]) => ports.includes(port)))
      if (ours.size > 0) return ours
      const taken = await claimPorts(ctx.db, { serverId: server.id, environmentId: environment.id, ports })
      return new Map(taken.map((one) => [one.port, `the environment ${one.environment} of the project ${one.project}`]))
    },
    allotPorts: (services, seen) => {
      const names = services.filter(({ port }) => port === null).map(({ name }) => name)
      return allot({ services: names, slots: ['a'], ...(seen && { seen }) })
    },
    allotSlots: (services, seen) => allot({ services, slots: ['a', 'b'], seen }),
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
    remainsOf: async (taskIds) => {
      const [known] = await listEnvironmentTasks(ctx.db, server.id, [environment.id])
      return known ? sortRemains(known, taskIds) : { live: [], kept: [], over: [] }
    },
  }
}

/** With the way to the server; the request itself has two seconds. */
const MOST_VISIT_MS = 3_000

type Allotment = Pick<Parameters<typeof allotPorts>[1], 'services' | 'slots' | 'seen'>
