// The table of services and their states, as Kysely sees it.
import type { ServiceState } from '@shipway/api/oversight/service-states'
import type { Generated } from 'kysely'

export interface ServiceTables {
  services: ServicesTable
}

interface ServicesTable {
  environment_id: number
  name: string
  /** A service in the table of domains; null if no domain leads to it. */
  route: string | null
  health_path: Generated<string>
  state: ServiceState
  since: number
  restarts: Generated<number>
  exit_code: number | null
  last_lines: string | null
  checked_task_id: number | null
  counted_restarts: Generated<number>
}
