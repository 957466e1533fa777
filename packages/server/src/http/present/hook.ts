// A webhook and its deliveries as JSON. Of a message, its id; what was in it is the receiver's.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { HookDelivery } from '../../store/hooks/hook-deliveries.ts'
import type { Hook } from '../../store/hooks/hooks.ts'
import { presentTime } from './time.ts'

export function presentHook(hook: Hook): RouteAnswer<Routes['getHook']> {
  return {
    id: hook.id,
    project_id: hook.projectId,
    url: hook.url,
    events: [...hook.events],
    enabled: hook.isEnabled,
    disabled_reason: hook.disabledReason,
    failing_since: presentTime(hook.failingSince),
    created_at: presentTime(hook.createdAt),
    updated_at: presentTime(hook.updatedAt),
  }
}

export function presentHookDelivery(delivery: HookDelivery): RouteAnswer<Routes['testHook']> {
  return {
    id: delivery.id,
    hook_id: delivery.hookId,
    message_id: delivery.messageId,
    event: delivery.event,
    status: delivery.status,
    attempts: delivery.attempts,
    // One that was never put off is due since it was made.
    next_attempt_at: delivery.status === 'pending' ? presentTime(Math.max(delivery.nextAt, delivery.createdAt)) : null,
    attempted_at: presentTime(delivery.attemptedAt),
    duration_ms: delivery.durationMs,
    response_status: delivery.responseStatus,
    response_text: delivery.responseText,
    error: delivery.error,
    created_at: presentTime(delivery.createdAt),
  }
}
