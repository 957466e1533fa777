// Traffic of an environment as the API shows it.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { presentTime } from './time.ts'

export function presentTraffic(
  { embeddedEdge: edge, traffic }: Pick<Context, 'embeddedEdge' | 'traffic'>,
  { id, server }: Pick<Environment, 'id' | 'server'>,
): RouteAnswer<Routes['getTraffic']> {
  const reading = server.edge === 'embedded' ? undefined : traffic.find(server.id)
  const counted = server.edge === 'embedded' ? edge.stats(id) : reading?.environments.get(id)
  const since = server.edge === 'embedded' ? traffic.embeddedSince : (reading?.since ?? null)
  return {
    environment_id: id,
    requests: counted?.requests ?? 0,
    errors: counted?.errors ?? 0,
    since: presentTime(since),
  }
}
