// Lists the tasks that routes may lead to, by balance group. Nothing of it is stored: the Swarm says where its tasks are, and a port that it has
// forgotten is null.
import { isRunning, tasksOf, upstreamOf } from '../../domain/swarm/swarm-view.ts'
import type { ListedGroup } from '../../edge/balance-group.ts'
import type { Host } from '../../remote/host.ts'
import { listSwarm } from './view/list-swarm.ts'

export async function listUpstreams(host: Host, installationId: string): Promise<readonly ListedGroup[]> {
  const view = await listSwarm(host, { installationId })
  const upstreams = view.services.flatMap((service) => {
    const { group } = service
    if (group === null) return []
    return tasksOf(view, service)
      .filter(isRunning)
      .flatMap((task) => {
        const upstream = upstreamOf(task, service, view.nodes)
        return upstream ? [{ group, upstream: { name: task.id, ...upstream } }] : []
      })
  })
  const groups = Map.groupBy(upstreams, ({ group }) => group)
  return [...groups]
    .map(([port, own]) => ({ port, upstreams: own.map(({ upstream }) => upstream) }))
    .toSorted((a, b) => a.port - b.port)
}
