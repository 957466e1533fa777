// What a manager says of its Swarm.
import type { SwarmNode } from '@shipway/api/servers'

export type SwarmState = {
  readonly id: string
  /** The address that other nodes reach this manager at. */
  readonly address: string
  readonly nodes: readonly SwarmNode[]
}

export type NodeRole = SwarmNode['role']
