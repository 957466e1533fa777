// A line of the audit log as JSON.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { AuditEvent } from '../../store/audit-events.ts'
import { presentTime } from './time.ts'

export function presentAuditEvent(event: AuditEvent): RouteAnswer<Routes['listAuditEvents']>[number] {
  return {
    id: event.id,
    at: presentTime(event.at),
    actor: event.actor && { id: event.actor.id, name: event.actor.name },
    action: event.action,
    target: { kind: event.target.kind, id: event.target.id, name: event.target.name },
    fields: [...event.fields],
    address: event.address,
    request_id: event.requestId,
  }
}
