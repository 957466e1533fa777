// Commands for the Swarm that a server is a manager of.
import type { Command } from '../command.ts'
import { dockerScript } from './script.ts'

export const listNodes = (): Command => dockerScript('swarm-nodes')

export const setAvailability = (nodeId: string, availability: 'active' | 'drain'): Command => [
  'docker',
  'node',
  'update',
  '--availability',
  availability,
  nodeId,
]

/** Prints a secret. */
export const joinToken = (role: 'worker' | 'manager'): Command => ['docker', 'swarm', 'join-token', '--quiet', role]

/** Prints the id of the node that is asked. */
export const findOwnNode: Command = ['docker', 'info', '--format', '{{.Swarm.NodeID}}']

/** For people to run on a node: no manager can. */
export const removeVolumes = (volumes: readonly string[]): Command => ['docker', 'volume', 'rm', '--', ...volumes]
