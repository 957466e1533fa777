// A connection as JSON: of its credentials only that there are some.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Connection } from '../../domain/connection.ts'
import type { RepositoryReading } from '../../domain/repository/repository-reading.ts'
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

type Found = {
  readonly fullName: string
  readonly defaultBranch: string | null
  readonly isPrivate: boolean
  readonly url: string
}

export const presentRepository = (found: Found): RouteAnswer<Routes['listConnectionRepositories']>[number] => ({
  full_name: found.fullName,
  default_branch: found.defaultBranch,
  private: found.isPrivate,
  url: found.url,
})

export const presentReading = (reading: RepositoryReading): RouteAnswer<Routes['readConnectionRepository']> => ({
  branches: [...reading.branches],
  service_file: reading.isPresent ? 'present' : 'missing',
  content: reading.content,
  recipe: reading.recipe,
  findings: reading.findings.map(({ kind, file, line, sentence }) => ({ kind, file, line, message: sentence })),
})
