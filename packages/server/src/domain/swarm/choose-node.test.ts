import { expect, test } from 'vitest'
import { aNode, aTask } from '../../../test/docker/swarm-tasks.ts'
import { chooseNode } from './choose-node.ts'

const nodes = [
  aNode({ id: '1', name: 'manager-1', role: 'manager', processor: 'aarch64' }),
  aNode({ id: '2', name: 'worker-1', labels: { disk: 'ssd' } }),
  aNode({ id: '3', name: 'worker-2', availability: 'drain' }),
  aNode({ id: '4', name: 'worker-3', state: 'down' }),
]
const busy = [aTask({ id: 'one', nodeId: '1' }), aTask({ id: 'two', nodeId: '2', desired: 'shutdown' })]

test.each([
  [[], '2'],
  [['node.role == manager'], '1'],
  [['node.role != manager'], '2'],
  [['node.labels.disk==ssd'], '2'],
  [['node.labels.disk!=ssd'], '1'],
  [['node.hostname==worker-2'], undefined],
  [['node.platform.arch==aarch64'], '1'],
  [['engine.labels.unknown==yes'], '2'],
])('the node with the least to do that %j admit', (constraints, id) => {
  expect(chooseNode(nodes, busy, constraints)?.id).toBe(id)
})

test('blanks within a constraint take a time that grows with their number alone', () => {
  expect(chooseNode(nodes, busy, [`node.labels.disk == a${' '.repeat(1_000_000)}b`])).toBeUndefined()
})
