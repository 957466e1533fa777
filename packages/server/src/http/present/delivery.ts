// A webhook delivery as JSON: what came of it, nothing of what was in it.
import type { RepositoryHost } from '@shipway/api/projects'
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import { HOST_NAMES } from '../../domain/repository-hosts.ts'
import type { Delivery } from '../../store/deliveries.ts'
import { presentTime } from './time.ts'

export function presentDelivery(
  delivery: Delivery,
  host: RepositoryHost,
): RouteAnswer<Routes['listDeliveries']>[number] {
  return {
    id: delivery.id,
    delivery_id: delivery.deliveryId,
    event: delivery.event,
    verdict: delivery.verdict,
    reason: delivery.reason,
    received_at: presentTime(delivery.receivedAt),
    pull_request: delivery.pullRequestNumber,
    branch: delivery.branch,
    environment: delivery.environment,
    hint: hintOf(delivery, host),
  }
}

function hintOf({ sentBy, verdict }: Delivery, host: RepositoryHost): string | null {
  if (sentBy === null || sentBy === host) return null
  const looks = `It looks like a delivery of ${HOST_NAMES[sentBy]}, and the project says ${HOST_NAMES[host]}`
  if (verdict === 'refused')
    return `${looks}. If the repository is on ${HOST_NAMES[sentBy]}, change repository_host to ${sentBy}; else somebody else has sent it`
  return `${looks}: change repository_host to ${sentBy}`
}
