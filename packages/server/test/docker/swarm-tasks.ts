// Tasks and nodes of a Swarm as it says of them.
import type { SwarmNode, SwarmTask } from '../../src/domain/swarm/swarm-view.ts'

/** It runs, for the task 5. */
export const aTask = (changes: Partial<SwarmTask> = {}): SwarmTask => ({
  id: 'task',
  serviceId: 'service',
  nodeId: 'node',
  task: 5,
  slot: 1,
  state: 'running',
  desired: 'running',
  error: '',
  exitCode: null,
  container: null,
  createdAt: 0,
  changedAt: 0,
  ports: [],
  ...changes,
})

export const aNode = (changes: Partial<SwarmNode> = {}): SwarmNode => ({
  id: 'node',
  name: 'worker-1',
  role: 'worker',
  address: '192.0.2.2',
  state: 'ready',
  availability: 'active',
  labels: {},
  cpus: 2,
  processor: 'x86_64',
  ...changes,
})
