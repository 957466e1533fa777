// A connection as JSON: of its credentials only that there are some.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Connection } from '../../domain/connection.ts'
import { presentTime } from './time.ts'

export function presentConnection(connection: Connection): RouteAnswer<Routes['getConnection']> {
  const { app } = connection
  return {
    id: connection.id,
    organization_id: connection.organizationId,
    type: connection.type,
    name: connection.name,
    base_url: connection.baseUrl,
    account: connection.account,
    has_token: connection.tokenSealed !== null,
    app: app && { id: app.id, slug: app.slug, installation_id: app.installationId },
    status: connection.status,
    status_reason: connection.statusReason,
    project_count: connection.projectCount,
    checked_at: presentTime(connection.checkedAt),
    created_at: presentTime(connection.createdAt),
    updated_at: presentTime(connection.updatedAt),
  }
}
