// Which figures of which node count: a node speaks for the containers that the managers say it runs, and for no others.
import { expect, test } from 'vitest'
import { aNode, aTask } from '../../../../test/docker/swarm-tasks.ts'
import type { SwarmService, SwarmTask } from '../../../domain/swarm/swarm-view.ts'
import { UNREAD } from '../../compose/stats/parse-stats.ts'
import { tasksElsewhere, usageElsewhere } from './read-swarm-stats.ts'

const id = (letter: string) => letter.repeat(64)
const service = (name: string, environment: number): SwarmService => ({
  ...{ id: `${name}${environment}`, name, environment, task: 5, previousTask: null, service: name, mode: '' },
  ...{ hash: '', slot: null, group: null, port: null, node: '', replicas: 1 },
})
const task = (own: SwarmService, nodeId: string, container: string | null, more: Partial<SwarmTask> = {}) =>
  aTask({ id: `${own.id}-${container?.[0]}`, serviceId: own.id, nodeId, container, ...more })
const [web, shop] = [service('web', 7), service('web', 8)]
const nodes = [
  aNode({ id: 'manager', address: '192.0.2.1' }),
  aNode({ id: 'one', address: '192.0.2.2' }),
  aNode({ id: 'other', address: '192.0.2.3' }),
  aNode({ id: 'down', address: '192.0.2.4', state: 'down' }),
]
const line = (letter: string, seconds: number) => `usage ${id(letter)} 2 ${seconds}000000 30 10 max 0 5 6\n`

test('containers count that the manager has not measured itself', () => {
  const tasks = [
    task(web, 'manager', id('a')),
    task(web, 'one', id('b')),
    task(web, 'one', id('c'), { state: 'shutdown' }),
    task(web, 'one', null),
    task(service('', 7), 'one', id('d')),
    task(shop, 'down', id('e')),
  ]
  const here = { key: id('a'), environmentId: 7, service: 'web', uptimeSeconds: 1, ...UNREAD }
  const view = { services: [web, shop, service('', 7)], tasks, nodes, now: 0 }
  const found = tasksElsewhere(view, [here])
  expect(found.map((one) => [one.service.environment, one.task.container, one.node?.address])).toEqual([
    [7, id('b'), '192.0.2.2'],
    [8, id('e'), undefined],
  ])
})

test('a node has a say in its own containers alone', () => {
  const tasks = [task(web, 'one', id('b')), task(shop, 'other', id('c')), task(shop, 'down', id('e'))]
  const found = tasksElsewhere({ services: [web, shop], tasks, nodes, now: 0 }, [])
  const forged = `uptime 50\n${line('b', 2)}${line('c', 9999)}${line('e', 9999)}`
  const reports = new Map([
    ['192.0.2.2', forged],
    ['192.0.2.3', `uptime 70\n${line('c', 3)}`],
  ])
  expect(usageElsewhere(found, reports)).toMatchObject([
    { key: 'web7-b', environmentId: 7, uptimeSeconds: 50, cpuSeconds: 2, memoryBytes: 20, networkInBytes: 5 },
    { key: 'web8-c', environmentId: 8, uptimeSeconds: 70, cpuSeconds: 3 },
    { key: 'web8-e', environmentId: 8, uptimeSeconds: 0, cpuSeconds: null, memoryBytes: null },
  ])
  // A node that claims another's container as its own gets nothing of it.
  const thief = [task(web, 'one', id('c'))]
  const stolen = usageElsewhere(tasksElsewhere({ services: [web], tasks: thief, nodes, now: 0 }, []), reports)
  expect(stolen).toMatchObject([{ environmentId: 7, cpuSeconds: 9999 }])
})

test('a node without a report has no figures', () => {
  const found = tasksElsewhere({ services: [web], tasks: [task(web, 'one', id('b'))], nodes, now: 0 }, [])
  const none = [{ key: 'web7-b', environmentId: 7, service: 'web', uptimeSeconds: 0, ...UNREAD }]
  expect(usageElsewhere(found, new Map())).toEqual(none)
  expect(usageElsewhere(found, new Map([['192.0.2.2', 'usage\n\nuptime x\n']]))).toEqual(none)
})
