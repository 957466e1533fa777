import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { planServices } from '../../../../server/src/domain/compose/plan-services.ts'
import { modelOf, PROJECT } from '../../../test/compose.ts'
import type { JsonObject } from '../model.ts'
import { type MountOptions, resolveMounts, type SourceKind } from './resolve-mounts.ts'

const digest = (text: string): string => hash('sha256', text)
const key = (path: string, readable: string): string => `folder-${readable}-${digest(path).slice(0, 16)}`
const DATA = key('data', 'data')
const DB = key('data/db', 'data-db')

const bind = (source: string, target: string, more: JsonObject = {}): JsonObject => ({
  type: 'bind',
  source: `/srv/1${source}`,
  target,
  bind: { create_host_path: true },
  ...more,
})

function place(
  services: Readonly<Record<string, readonly JsonObject[]>>,
  sources: Readonly<Record<string, SourceKind>>,
  { top = {}, ...more }: Partial<MountOptions> & { top?: JsonObject } = {},
) {
  const definitions = Object.entries(services).map(([name, volumes]) => [name, { volumes }])
  const { model, notes } = resolveMounts(modelOf(Object.fromEntries(definitions), top), {
    checkout: '/srv/1',
    writes: [],
    known: [],
    digest,
    ...more,
    sources: new Map(Object.entries(sources)),
  })
  const mounts = [...model.services].map(([name, { definition }]) => [name, definition.volumes])
  return { model, notes: notes.map(({ sentence }) => sentence), places: notes, ...Object.fromEntries(mounts) }
}

test.each<SourceKind>(['absent', 'empty'])('what is %s in the commit is a volume of the environment', (kind) => {
  const { model, notes, web } = place(
    { web: [bind('/data', '/d'), bind('/data', '/e', { read_only: true })] },
    { data: kind },
  )
  expect(web).toEqual([
    { type: 'volume', source: DATA, target: '/d', volume: {} },
    { type: 'volume', source: DATA, target: '/e', read_only: true, volume: {} },
  ])
  expect(model.volumes.get(DATA)).toEqual({ name: `${PROJECT}_${DATA}`, 'x-shipway-folder': 'data' })
  expect(notes).toEqual([expect.stringMatching(/^web: \.\/data is .* persistent folder of the environment/)])
})

test('a service with such a folder is another one only where something else has changed', () => {
  const hashIn = (release: string) => {
    const volumes = [{ type: 'bind', source: `${release}/data`, target: '/d' }]
    const options = {
      checkout: release,
      sources: new Map([['data', 'absent' as const]]),
      writes: [],
      known: [],
      digest,
    }
    const { model } = resolveMounts(modelOf({ web: { volumes } }), options)
    const planning = { services: new Map(), live: new Map(), images: new Map(), settings: '', digest }
    return planServices(model, planning).services[0]
  }
  expect(hashIn('/srv/1')).toEqual(hashIn('/srv/2'))
  expect(hashIn('/srv/1')).toMatchObject({ mode: 'in_place', whyInPlace: 'it writes to a persistent folder' })
})

test.each<[JsonObject, Partial<MountOptions>, boolean, string | null]>([
  [{}, {}, true, 'web: ./src is in the commit and mounted read-only. Write :rw behind it to change that'],
  [{ read_only: true }, {}, true, null],
  [
    {},
    { writes: [{ source: 'src', target: '/s' }] },
    false,
    'Warning: web may write to ./src of this release: what it writes there goes with the release',
  ],
])('what is in the commit, %j by %j, is read-only: %s', (more, options, isReadOnly, note) => {
  const { notes, web } = place({ web: [bind('/src', '/s', more)] }, { src: 'folder' }, options)
  expect(web).toEqual([{ ...bind('/src', '/s', more), ...(isReadOnly && { read_only: true }) }])
  expect(notes).toEqual(note === null ? [] : [note])
})

test('a folder around a persistent one shows it at its place, as it is mounted itself', () => {
  const services = { app: [bind('', '/app')], all: [bind('/data', '/all')], db: [bind('/data/db', '/db')] }
  const { app, all, db } = place(services, { '': 'folder', data: 'absent', 'data/db': 'absent' })
  const nocopy = { volume: { nocopy: true } }
  expect(app).toEqual([
    bind('', '/app', { read_only: true }),
    { type: 'volume', source: DATA, target: '/app/data', read_only: true, ...nocopy },
    { type: 'volume', source: DB, target: '/app/data/db', read_only: true, ...nocopy },
  ])
  expect(all).toEqual([
    { type: 'volume', source: DATA, target: '/all', volume: {} },
    { type: 'volume', source: DB, target: '/all/db', ...nocopy },
  ])
  expect(db).toEqual([{ type: 'volume', source: DB, target: '/db', volume: {} }])
})

test('another mount at that place or around it counts for more', () => {
  const own = { type: 'volume', source: 'own', target: '/app/data' }
  const { app } = place(
    { app: [bind('', '/app'), own], db: [bind('/data/db', '/db')] },
    { '': 'folder', 'data/db': 'absent' },
  )
  expect(app).toEqual([bind('', '/app', { read_only: true }), own])
})

test('a persistent folder of earlier deployments is at its place too, unless the commit has something there', () => {
  const services = { app: [bind('', '/app')] }
  const found = place(services, { '': 'folder', data: 'absent' }, { known: ['data'] })
  expect(found.app).toHaveLength(2)
  expect(found.model.volumes.has(DATA)).toBe(true)
  expect(place(services, { '': 'folder', data: 'folder' }, { known: ['data'] }).app).toHaveLength(1)
})

test('a note stands at its mount', () => {
  const { places } = place(
    { web: [bind('/src', '/s', { read_only: true }), bind('/data', '/d')], 'a.b': [bind('/src', '/s')] },
    { data: 'absent', src: 'folder' },
  )
  expect(places.map(({ key: at }: { key: string }) => at)).toEqual([
    'services.web.volumes[1]',
    'services["a.b"].volumes[0]',
  ])
})

test('data that has moved gets a warning', () => {
  expect(place({ web: [bind('/data', '/d')] }, { data: 'folder' }, { known: ['data'] }).notes).toContain(
    'Warning: web: ./data is in the commit now: what the environment kept there stays aside until a reset',
  )
  const within = place({ web: [bind('/data/db', '/d')] }, { data: 'absent', 'data/db': 'absent' }, { known: ['data'] })
  expect(within.notes).toContain(
    'Warning: web: ./data/db begins empty, and hides what ./data has had at its place until now',
  )
})

test.each([
  ['/config.yml', '/etc/app/config.yml', true],
  ['/.env', '/app/.env', true],
  ['/data', '/data', false],
  ['/initdb.d', '/docker-entrypoint-initdb.d', false],
  ['/mysql-5.7', '/var/lib/mysql', false],
  ['/.cache', '/root/.cache', false],
])('that %s at %s may be meant as a file is said: %s', (source, target, isSaid) => {
  const { notes } = place({ web: [bind(source, target)] }, { [source.slice(1)]: 'absent' })
  expect(notes.some((note: string) => note.includes('looks like a file'))).toBe(isSaid)
})

test('only the platform can mark a persistent folder', () => {
  const top = { volumes: { own: { name: `${PROJECT}_own`, 'x-shipway-folder': 'data' } } }
  const { model } = place({ web: [{ type: 'volume', source: 'own', target: '/o' }] }, {}, { top })
  expect(model.volumes.get('own')).toEqual({ name: `${PROJECT}_own` })
})
