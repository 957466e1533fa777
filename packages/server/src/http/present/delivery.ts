// A webhook delivery as JSON: what came of it, nothing of what was in it.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Delivery } from '../../store/deliveries.ts'
import { presentTime } from './time.ts'

export function presentDelivery(delivery: Delivery): RouteAnswer<Routes['listDeliveries']>[number] {
  return {
    id: delivery.id,
    delivery_id: delivery.deliveryId,
    event: delivery.event,
    verdict: delivery.verdict,
    reason: delivery.reason,
    received_at: presentTime(delivery.receivedAt),
  }
}
