import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { modelOf, PROJECT } from '../../../../rules/test/compose.ts'
import { nodeVolumes, volumeName } from './stack-volumes.ts'

const digest = (text: string) => hash('sha256', text)
const mounting = (...sources: string[]) => ({
  volumes: sources.map((source) => ({ type: 'volume', source, target: `/${source}` })),
})

test('volumes that services mount together are on one node', () => {
  const model = modelOf(
    { a: mounting('one', 'two'), b: mounting('three'), c: mounting('two', 'four'), d: mounting('files'), e: {} },
    {
      volumes: {
        ...Object.fromEntries(['one', 'two', 'three', 'four'].map((key) => [key, {}])),
        files: { driver_opts: { type: 'nfs', device: ':/files' } },
      },
    },
  )
  const groups = nodeVolumes({ model, imageVolumes: new Map(), digest }).map((group) => [...group].toSorted())
  expect(groups.toSorted()).toEqual([['four', 'one', 'two'], ['three']])
})

test('what images keep is on a node too', () => {
  const model = modelOf({ db: {} })
  const [group = new Set<string>()] = nodeVolumes({ model, imageVolumes: new Map([['db', ['/data']]]), digest })
  const [key = ''] = group
  expect(key).toMatch(/^image-[0-9a-f]{16}$/)
  expect(volumeName(key, { model })).toBe(`${PROJECT}_${key}`)
})
