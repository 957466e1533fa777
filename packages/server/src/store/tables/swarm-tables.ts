// The tables of servers that are a Docker Swarm, as Kysely sees them.
import type { Generated } from 'kysely'

export interface SwarmTables {
  server_managers: ServerManagersTable
  server_nodes: ServerNodesTable
  service_replicas: ServiceReplicasTable
}

interface ServerManagersTable {
  server_id: number
  hostname: string
  port: number
  host_key: string | null
  machine_id: number | null
  may_be_private: Generated<0 | 1>
  signed_in_at: number | null
  created_at: number
  revocations: Generated<number>
}

interface ServerNodesTable {
  server_id: number
  seen_at: number
  nodes: string
}

interface ServiceReplicasTable {
  environment_id: number
  service: string
  replicas: number
}
