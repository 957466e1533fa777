import { expect, test } from 'vitest'
import { aNode } from '../../../test/docker/swarm-tasks.ts'
import { whyNoHold } from './hold-node.ts'

const manager = aNode({ id: '1', name: 'manager-1', role: 'manager' })
const worker = aNode({ id: '2', name: 'worker-1' })
const web = { service: 'web', node: '' }

test.each([
  ['one that may run everywhere', manager, web, []],
  ['one whose volumes are there', manager, { ...web, node: '1' }, ['node.id==1']],
  ['one that its placement allows there', manager, web, ['node.role==manager', 'engine.labels.unknown==yes']],
])('the manager in use may hold a container of a service: %s', (_, node, service, constraints) => {
  expect(whyNoHold([node, worker], '1', { purpose: 'terminal', service, constraints })).toBeUndefined()
})

test.each([
  [{ ...manager, availability: 'drain' }, web, [], 'which takes no containers: its availability is drain'],
  [{ ...manager, state: 'down' }, web, [], 'which is down'],
  [manager, { ...web, node: '2' }, ['node.id==2'], 'and the volumes of web are on worker-1'],
  [manager, web, ['node.role == worker'], 'where web may not run: its placement is node.role == worker'],
])('one that may not is refused with the reason: %j', (node, service, constraints, reason) => {
  expect(whyNoHold([node, worker], '1', { purpose: 'terminal', service, constraints })).toBe(
    `A terminal or piped input needs a container on manager-1, the manager in use, ${reason}. ` +
      'Run the command with --detach, which works on every node',
  )
})

test('the refusal of an action that keeps files says what works without them', () => {
  const service = { ...web, node: '2' }
  expect(whyNoHold([manager, worker], '1', { purpose: 'files', service, constraints: [] })).toBe(
    'An action that keeps files needs a container on manager-1, the manager in use, and the volumes of web are on worker-1. ' +
      'Without artifacts it runs on every node: let it send its files somewhere',
  )
})
