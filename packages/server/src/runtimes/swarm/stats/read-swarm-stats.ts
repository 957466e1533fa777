// Reads what a Swarm and its containers use: of the manager in use as of one machine, and of containers on other nodes from what these report.
//
// A node is not believed further than its own containers: which service runs where is what the managers say, so a node cannot add to the
// figures of a service that it does not run.
import type { SwarmNode, SwarmService, SwarmTask, SwarmView } from '../../../domain/swarm/swarm-view.ts'
import { tasksOf } from '../../../domain/swarm/swarm-view.ts'
import { StepFault } from '../../../domain/tasks/step-fault.ts'
import type { Host } from '../../../remote/host.ts'
import { readUsageReports, saidTooMuch } from '../../../remote/swarm/read-usage-reports.ts'
import { parseReport, UNREAD } from '../../compose/stats/parse-stats.ts'
import { readStats } from '../../compose/stats/read-stats.ts'
import type { ServerStats, ServiceUsage, StatsRequest } from '../../server-stats.ts'
import { listSwarm } from '../view/list-swarm.ts'

/** Room for 400 containers, which is as many as a node reports. */
const BYTES = 100_000
/** On other nodes. Beyond that, containers are not measured. */
const MOST_TASKS = 2_000

export async function readSwarmStats(host: Host, request: StatsRequest): Promise<ServerStats> {
  const stats = await readStats(host, request)
  if (stats.services === undefined) return stats
  const view = await listSwarm(host, request).catch((error: unknown) => {
    // The managers have lost each other, or say too much: containers of this one still run.
    if (!(error instanceof StepFault || saidTooMuch(error))) throw error
  })
  if (!view) return stats
  const tasks = tasksElsewhere(view, stats.services)
  const addresses = tasks.flatMap(({ node }) => node?.address ?? [])
  const reports = await readUsageReports(host, { addresses, bytes: BYTES })
  return { ...stats, services: [...stats.services, ...usageElsewhere(tasks, reports)] }
}

type TaskElsewhere = {
  readonly service: SwarmService
  readonly task: SwarmTask
  /** Undefined where it does not answer. */
  readonly node: SwarmNode | undefined
}

/** Those that run, and that the manager in use has not measured. */
export function tasksElsewhere(view: SwarmView, measured: readonly ServiceUsage[]): readonly TaskElsewhere[] {
  const here = new Set(measured.map(({ key }) => key))
  const nodes = new Map(view.nodes.filter(({ state }) => state === 'ready').map((node) => [node.id, node]))
  return view.services
    .filter(({ service }) => service !== '')
    .flatMap((service) => tasksOf(view, service).map((task) => ({ service, task, node: nodes.get(task.nodeId) })))
    .filter(({ task }) => task.state === 'running' && task.container !== null && !here.has(task.container))
    .slice(0, MOST_TASKS)
}

/** Of each task, what the node that runs it reports of its container. */
export function usageElsewhere(
  tasks: readonly TaskElsewhere[],
  reports: ReadonlyMap<string, string>,
): readonly ServiceUsage[] {
  const parsed = new Map([...reports].map(([address, report]) => [address, parseReport(report)]))
  return tasks.map(({ service, task, node }) => {
    const report = node && parsed.get(node.address)
    return {
      key: task.id,
      environmentId: service.environment,
      service: service.service,
      uptimeSeconds: report?.uptimeSeconds ?? 0,
      ...(report?.usages.get(task.container ?? '') ?? UNREAD),
    }
  })
}
