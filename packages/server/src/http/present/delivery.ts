// A webhook delivery as JSON: its outcome without its content.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import { HOST_NAMES } from '../../domain/repository/repository-hosts.ts'
import type { Delivery } from '../../store/repository-events/deliveries.ts'
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
    detail: delivery.detail,
    received_at: presentTime(delivery.receivedAt),
    pull_request: delivery.pullRequestNumber,
    branch: delivery.branch,
    environment: delivery.environment,
    hint: hintOf(delivery, host),
  }
}

function hintOf({ sentBy, verdict }: Delivery, host: RepositoryHost): string | null {
  if (sentBy === null) return null
  const [sender, own] = [HOST_NAMES[sentBy], HOST_NAMES[host]]
  const isRefused = verdict === 'refused'
  if (sentBy === host) return isRefused ? null : `It came from ${sender}; since then repository_host says so`
  const looks = `It looks like a delivery of ${sender}, and the project says ${own}`
  if (!isRefused) return `${looks}. Change repository_host to ${sentBy}`
  return `${looks}. If the repository is on ${sender}, change repository_host to ${sentBy}; if not, another sender sent it`
}
