import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { modelOf, PROJECT } from '../../../../rules/test/compose.ts'
import { aNode } from '../../../test/docker/swarm-tasks.ts'
import { placeVolumes } from './place-volumes.ts'
import type { SwarmNode, SwarmService } from './swarm-view.ts'

const ids = { installationId: 'main', environmentId: 7 }
const data = { type: 'volume', source: 'data', target: '/data' }
const files = { type: 'volume', source: 'files', target: '/files' }
const volumes = { volumes: { data: {}, files: {} } }
const [one, two] = [aNode({ id: 'one', name: 'worker-1' }), aNode({ id: 'two', name: 'worker-2' })]

type Found = { readonly nodes?: readonly SwarmNode[]; readonly services?: readonly SwarmService[] }

const place = (services: Parameters<typeof modelOf>[0], taskId: number, found: Found = {}, top: object = volumes) =>
  placeVolumes({
    ...{
      model: modelOf(services, { ...top }),
      imageVolumes: new Map(),
      digest: (text: string) => hash('sha256', text),
    },
    ...{ view: { services: [], tasks: [], nodes: [one, two], now: 0, ...found }, ids, taskId },
  })

/** As the Swarm says of them after these labels were added. */
const labelled = (nodes: readonly SwarmNode[], { labels }: ReturnType<typeof place>): readonly SwarmNode[] =>
  nodes.map((node) => {
    const own = labels.filter((label) => label.node === node.id).map(({ key, value }) => [key, value])
    return { ...node, labels: { ...node.labels, ...Object.fromEntries(own) } }
  })

test('a volume stays where it was first, whatever becomes of the service that mounts it', () => {
  const first = place({ db: { volumes: [data] } }, 5)
  expect([...first.places]).toEqual([['data', { node: 'one', name: `${PROJECT}_data-5` }]])
  expect(first.sentences).toEqual(['The volumes of db are new, on worker-1'])
  // Now a new one would go to the other node.
  const nodes = labelled([{ ...one, availability: 'drain' }, two], first)
  for (const services of [{ postgres: { volumes: [data] } }, { db: { volumes: [data] }, web: { volumes: [data] } }])
    expect(place(services, 9, { nodes })).toMatchObject({ places: first.places, labels: [], faults: [] })
  expect(place({ db: {} }, 9, { nodes }).places.size).toBe(0)
})

test('a volume that joins others gets their node, and after a reset no volume has an earlier name', () => {
  const first = place({ db: { volumes: [data] } }, 5)
  const nodes = labelled([{ ...one, availability: 'drain' }, two], first)
  const joined = place({ db: { volumes: [data, files] } }, 6, { nodes })
  expect(joined.places.get('files')).toEqual({ node: 'one', name: `${PROJECT}_files-6` })
  expect(joined.labels.map(({ node, value }) => [node, value])).toEqual([['one', `${PROJECT}_files-6`]])
  // The reset has removed the labels.
  expect(place({ db: { volumes: [data] } }, 8).places.get('data')?.name).toBe(`${PROJECT}_data-8`)
})

test('a service that mounts volumes of two nodes is refused', () => {
  const nodes = [one, two].flatMap((node, at) => {
    const volume = at === 0 ? data : files
    return labelled([node], place({ [`s${at}`]: { volumes: [volume] } }, 5, { nodes: [node] }))
  })
  const { faults, labels } = place({ web: { volumes: [data, files] } }, 6, { nodes })
  expect(faults).toEqual([
    'The volumes of web are on different nodes, and a service runs on one: data on worker-1, files on worker-2. ' +
      'Mount them in different services, or reset the environment, which deletes their data',
  ])
  expect(labels).toEqual([])
})

test('volumes of before the labels keep their node and their name, and external ones their name', () => {
  const service = { service: 'db', node: 'two' } as const
  const services = [{ ...empty, ...service }]
  const former = place({ db: { volumes: [data] } }, 5, { services })
  expect([...former.places]).toEqual([['data', { node: 'two', name: `${PROJECT}_data` }]])
  expect(former.labels).toHaveLength(1)
  const other = place({ db: { volumes: [data] } }, 5, { services, nodes: [one] })
  expect([...other.places]).toEqual([['data', { node: 'one', name: `${PROJECT}_data-5` }]])
  const external = place({ db: { volumes: [data] } }, 5, {}, { volumes: { data: { external: true, name: 'shop' } } })
  expect(external.places.get('data')?.name).toBe('shop')
})

test('no volume goes to a node that may not have it', () => {
  const placement = { constraints: ['node.hostname==worker-9'] }
  expect(place({ db: { volumes: [data], deploy: { placement } } }, 5).faults).toEqual([
    'No node can have the volumes of db: none that is ready and active fits deploy.placement',
  ])
})

const empty: SwarmService = {
  ...{ id: 's', name: 's', environment: 7, task: 4, previousTask: null, service: '', mode: 'in_place', hash: '' },
  ...{ slot: null, group: null, port: null, node: '', replicas: 1 },
}
