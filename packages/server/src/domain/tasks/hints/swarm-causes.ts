// Why a Docker Swarm runs no task: no node is left for it, a node cannot get the image, or a port of a node is taken. The sentences are those
// of `task-progress.ts`, with what the Swarm says in them.
import { type Cause, findWords, whereSaid } from './failure.ts'

/** It has counted the nodes by what they lack. */
const NO_NODE = /^No node can run \S{1,80}(?: \(\d{1,4} of \d{1,4} run\))?: no suitable node \((.{1,500})\)/

const BY_LACK: readonly (readonly [RegExp, string])[] = [
  [
    /insufficient resources/,
    'The nodes have less left than the service reserves. Lower `deploy.resources.reservations`, reduce the number of containers, or add a node: `shipway servers join`',
  ],
  [
    /scheduling constraints not satisfied/,
    'No active node meets `deploy.placement`, or the node with the volume of the service is away or drained. See `shipway servers nodes`; `shipway servers activate` takes a node back into service',
  ],
  [
    /host-mode port already in use/,
    'A node can publish a port only once. Use fewer containers than there are nodes, or leave the port out',
  ],
  [
    /max replicas per node|unsupported platform/,
    'The nodes are of another platform than the image, or `max_replicas_per_node` allows no more containers. Add a node that fits, or change the file',
  ],
  [
    /not available for new tasks/,
    'Nodes are drained or do not answer. See `shipway servers nodes`; `shipway servers activate` takes a node back into service',
  ],
]

const noNode: Cause = (failure) => {
  const [, lacks = ''] = findWords(failure, NO_NODE) ?? []
  return BY_LACK.find(([words]) => words.test(lacks))?.[1]
}

const notPulled: Cause = (failure) => {
  const [, reason] = findWords(failure, /^A node could not pull the image of \S{1,80}: (.{1,500})/) ?? []
  if (reason === undefined) return undefined
  if (/x509/i.test(reason))
    return 'The node does not trust the registry. Run its join line again on that node as root; for a registry of your own, install the certificate of its authority there'
  return 'The node does not reach the registry, or the image is gone from it. Open port 5443 of the managers to all nodes, then deploy again: that pushes the image again'
}

const taken = whereSaid(
  /^A port that \S{1,80} publishes is not free on its node: /,
  'Another program of the node listens there. Leave the port out of the compose file: routed services need none, and other services are reached by their names',
)

export const swarmCauses: readonly Cause[] = [noNode, notPulled, taken]
