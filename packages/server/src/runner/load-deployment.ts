// Loads what a recipe needs of the records, and opens the doors it may use.
import type { Context } from '../context.ts'
import { isCapability } from '../domain/compose/policy/capabilities.ts'
import { limitsOf } from '../domain/limits.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { pullRequestRef } from '../domain/project.ts'
import { placeInProject } from '../domain/sealed-place.ts'
import { CheckFailed } from '../domain/tasks/step-fault.ts'
import { sortRemains } from '../domain/tasks/task-remains.ts'
import { noteCommit } from '../progress/progress.ts'
import type { Deployment } from '../recipes/deployment.ts'
import { listTakenDomains } from '../store/environments/domains.ts'
import { allotPorts, claimPorts, type SlotPort } from '../store/environments/ports.ts'
import { listServiceRoutes } from '../store/environments/routes.ts'
import { updateRepositoryHostKey } from '../store/projects/projects.ts'
import { listEnvironmentTasks } from '../store/tasks/remains.ts'
import type { TaskToRun } from '../store/tasks/tasks-to-run.ts'
import { changeRoutes } from './change-routes.ts'
import type { Parts } from './parts.ts'
import { reservedPorts } from './reserved-ports.ts'
import { serverFolderOf } from './server-folder.ts'
import { pruneServer } from './tidying/prune-servers.ts'
import type { Work } from './work.ts'

/** A stranger's branch is in another repository; the project's own holds its commits under the pull request. */
function forkRefOf({ environment, project }: TaskToRun): string | null {
  const { isFork, pullRequestNumber: number } = environment
  return isFork && number !== null ? pullRequestRef(project.repositoryHost, number) : null
}

export async function loadDeployment(
  ctx: Context,
  parts: Parts,
  { task, lease, secrets }: Pick<Work, 'task' | 'lease' | 'secrets'>,
): Promise<Deployment> {
  const { environment, project, server } = task
  const reserved = reservedPorts(ctx, server)
  const { image: imageToken, cache: cacheToken } = ctx.environmentTokens(environment.id)
  const allot = async (what: Allotment): Promise<readonly SlotPort[]> => {
    const { portRange: range } = ctx.config
    const place = { serverId: server.id, environmentId: environment.id }
    const wanted = { ...place, ...what, range, reserved: [...reserved.keys()] }
    const ports = await allotPorts(ctx.db, wanted)
    if (!ports) throw CheckFailed(`${server.name} has no free port left between ${range.first} and ${range.last}`)
    return ports
  }
  return {
    taskId: task.id,
    source: parts.source,
    repository: {
      projectId: project.id,
      address: project.repoUrl,
      publicKey: project.publicKey,
      privateKey: ctx.box.open(
        project.privateKeySealed,
        placeInProject(project.hookId, 'repository_private_key_sealed'),
      ),
      hostKey: project.repositoryHostKey,
    },
    branch: task.branch,
    commitSha: task.commitSha,
    isCommitAdmitted: task.isCommitAdmitted,
    forkRef: forkRefOf(task),
    environment,
    project,
    dashboardHost: new URL(ctx.config.baseUrl).hostname,
    variables: secrets.variables,
    ids: { installationId: ctx.installationId, environmentId: environment.id, imageToken, cacheToken },
    live: task.live,
    undo: task.undo,
    servingTaskId: await findServingTask(ctx, task),
    rollbackTo: task.sourceTaskId,
    keptTaskIds: task.keptTaskIds,
    // Whoever can open a pull request from a fork could use what was granted.
    grants: new Set(environment.isFork ? [] : task.grants.filter(isCapability)),
    limits: limitsOf(environment.type, environment.limits),
    readySeconds: ctx.config.readySeconds,
    drainSeconds: ctx.config.drainSeconds,
    leastDiskMebibytes: ctx.config.leastDiskMebibytes,
    freeDisk: () => pruneServer(ctx, { host: parts.hosts.of(server), serverId: server.id, cacheGigabytes: 0 }),
    countStreams: (ports) => parts.edges.countStreams(server, ports),
    serverFolder: (home) => serverFolderOf(ctx, server, home),
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
    removeRoutes: () => changeRoutes(ctx, parts, lease, { task, routes: [], fact: 'unroutedAt' }),
    remainsOf: async (taskIds) => {
      const [known] = await listEnvironmentTasks(ctx.db, server.id, [environment.id])
      return known ? sortRemains(known, taskIds) : { live: [], kept: [], over: [] }
    },
  }
}

type Allotment = Pick<Parameters<typeof allotPorts>[1], 'services' | 'slots' | 'seen'>

/** A task that is stopped after its switch has not succeeded, and serves. */
async function findServingTask(ctx: Context, { environment, live }: TaskToRun): Promise<number | null> {
  const { taskId: routed = 0 } = await listServiceRoutes(ctx.db, environment.id)
  return Math.max(routed, live?.taskId ?? 0) || null
}
