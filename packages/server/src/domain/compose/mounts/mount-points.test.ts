import type { JsonObject } from '@shipway/rules/compose/model'
import { expect, test } from 'vitest'
import { modelOf } from '../../../../../rules/test/compose.ts'
import { mountPoints } from './mount-points.ts'

const checkout = { folder: '/srv/1', links: new Set(['link']) }
const release = { type: 'bind', source: '/srv/1', target: '/app', read_only: true }
const kept = { type: 'volume', source: 'kept', target: '/kept', read_only: true }
const top = {
  volumes: { kept: { name: 'p_kept', 'x-shipway-folder': 'data' }, own: { name: 'p_own' } },
  configs: { c: { file: '/srv/1/c.conf' }, t: { content: 'x' } },
}

const pointsOf = (service: JsonObject, declared: readonly string[] = []) =>
  mountPoints(modelOf({ web: service }, top), { checkout, imageVolumes: new Map([['web', declared]]) })

test('whatever is mounted within what cannot be written to has its place made', () => {
  const volumes = [
    release,
    { type: 'volume', source: 'own', target: '/app/node_modules' },
    { type: 'bind', source: '/srv/1/x', target: '/app/etc/x' },
    { type: 'volume', target: '/app/a/../unnamed/' },
  ]
  const configs = [
    { source: 'c', target: '/app/c.conf' },
    { source: 't', target: '/app/t.conf' },
  ]
  const inRelease = { within: null, source: null }
  expect(pointsOf({ volumes, configs, tmpfs: ['/app/tmp:size=1m'] }, ['/app/data', '/elsewhere'])).toEqual([
    { ...inRelease, path: '/srv/1/node_modules' },
    { ...inRelease, path: '/srv/1/etc/x', source: '/srv/1/x' },
    { ...inRelease, path: '/srv/1/unnamed' },
    { ...inRelease, path: '/srv/1/c.conf', source: '/srv/1/c.conf' },
    { ...inRelease, path: '/srv/1/tmp' },
    { ...inRelease, path: '/srv/1/data' },
  ])
})

test('within a persistent folder it is the volume that the place is made in', () => {
  const volumes = [kept, { type: 'volume', source: 'own', target: '/kept/db' }]
  expect(pointsOf({ volumes })).toEqual([
    { path: 'db', source: null, within: { folder: 'data', key: 'kept', name: 'p_kept' } },
  ])
})

test.each<[string, JsonObject[]]>([
  [
    'what can be written to',
    [
      { ...release, read_only: false },
      { type: 'volume', source: 'own', target: '/app/x' },
    ],
  ],
  [
    'a volume of the file',
    [
      { ...kept, source: 'own' },
      { type: 'volume', source: 'kept', target: '/kept/x' },
    ],
  ],
  ['a path behind a link', [release, { type: 'volume', source: 'own', target: '/app/link/x' }]],
  [
    'a folder of the machine',
    [
      { ...release, source: '/etc' },
      { type: 'volume', source: 'own', target: '/app/x' },
    ],
  ],
])('nothing is made in %s', (_name, volumes) => {
  expect(pointsOf({ volumes })).toEqual([])
})

test('a tmpfs of colons and line breaks is read in a time that grows with its length alone', () => {
  expect(pointsOf({ volumes: [release], tmpfs: [`/app/tmp${':'.repeat(1_000_000)}\n`] })).toMatchObject([
    { path: '/srv/1/tmp' },
  ])
})
