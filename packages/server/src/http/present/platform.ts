// The installation as JSON, without any address or secret of its settings but the one that everybody knows.
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Context } from '../../context.ts'
import type { RecordCounts } from '../../store/record-counts.ts'
import { VERSION } from '../../version.ts'

export const presentPlatform = (
  { config, mail }: Pick<Context, 'config' | 'mail'>,
  counts: RecordCounts,
): RouteAnswer<Routes['getPlatform']> => ({
  version: VERSION,
  database: config.databaseUrl === undefined ? 'embedded' : 'postgres',
  base_url: config.baseUrl,
  sends_mail: mail.isSetUp,
  open_organizations: config.hasOpenOrganizations,
  counts: {
    users: counts.users,
    organizations: counts.organizations,
    projects: counts.projects,
    environments: counts.environments,
    servers: counts.servers,
    active_tasks: counts.activeTasks,
  },
})
