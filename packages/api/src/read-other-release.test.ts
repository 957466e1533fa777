// Answers of platforms of other releases: an older one lacks fields, a newer one has words and fields that this release does not know.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Environment } from './environments.ts'
import { addedLater, readOtherRelease, Unreadable, valueBefore } from './read-other-release.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { Server } from './servers.ts'

const server = {
  id: 2,
  name: 'harbor',
  hostname: 'harbor.example.com',
  organization_id: 1,
  port: 22,
  user: 'shipway-deploy',
  connection: 'ssh',
  edge: 'haproxy',
  runtime: 'compose',
  host_key: null,
  principal: 'shipway-1-x',
  needs_setup: true,
  setup_command: null,
  setup_warning: null,
  authority_key: 'ssh-ed25519 AAAA',
  project_count: 0,
  created_at: '2026-11-18T00:00:00.000Z',
  managers: [],
  nodes: [],
  nodes_seen_at: null,
  registry: null,
}

test('an answer of this release is read as it is, without fields that the contract does not know', () => {
  expect(readOtherRelease(Server, { ...server, mood: 'good' })).toEqual(server)
})

test('fields that were added since are null, empty, false, or what they were added with', () => {
  const { runtime: _runtime, setup_warning: _warning, needs_setup: _needs, ...before } = server
  expect(readOtherRelease(Server, before)).toEqual({ ...server, needs_setup: false })
})

test('a word that a newer release added stays as it is', () => {
  expect(readOtherRelease(Server, { ...server, runtime: 'later' })).toMatchObject({ runtime: 'later' })
  expect(readOtherRelease(Environment.shape.status, 'asleep')).toBe('asleep')
})

test.each([
  [{ ...server, id: undefined }, '/id'],
  [{ ...server, id: '2' }, '/id'],
  [{ ...server, runtime: 7 }, '/runtime'],
  [{ ...server, name: null }, '/name'],
  ['<h1>Welcome to the hotel</h1>', ''],
  [null, ''],
])('what lacks a needed field is not read: %j', (value, path) => {
  const read = () => readOtherRelease(Server, value)
  expect(read).toThrow(Unreadable)
  expect(read).toThrow(expect.objectContaining({ path }))
})

test('a mark is of one field, and leaves its shape and description alone', () => {
  const Word = z.string().describe('A word')
  const marked = addedLater(Word, 'before')
  expect([valueBefore(marked), valueBefore(Word), marked.description]).toEqual(['before', undefined, 'A word'])
})

test('an inherited property is not a field', () => {
  expect(() => readOtherRelease(z.object({ constructor: z.unknown(), toString: z.string() }), {})).toThrow(Unreadable)
})

type Field = { readonly place: string; readonly isNeeded: boolean }

/** Every field of an answer, such as `checks/name` for the names in a list of checks, and whether the answer cannot do without it. */
function fieldsOf(shape: z.ZodType, place: string, isOptional = false): Field[] {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable)
    return fieldsOf(shape.unwrap() as z.ZodType, place, true)
  if (shape instanceof z.ZodArray) return fieldsOf(shape.element as z.ZodType, place, true)
  const own = place === '' ? [] : [{ place, isNeeded: !isOptional && valueBefore(shape) === undefined }]
  if (!(shape instanceof z.ZodObject)) return own
  const inside = Object.entries(shape.shape).map(([name, field]) => [name, field as z.ZodType] as const)
  return [...own, ...inside.flatMap(([name, field]) => fieldsOf(field, place === '' ? name : `${place}/${name}`))]
}

/** As it was before, each with the fields of its answer. */
const known = new Map(
  readFileSync(new URL('../test/answer-fields.txt', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .map(([name = '', ...fields]) => [name, new Set(['', ...fields])]),
)
const parentOf = (place: string): string => place.slice(0, Math.max(0, place.lastIndexOf('/')))

// To add a field to an answer, let it be null, a list or a boolean, or mark it with `addedLater`. The file of known fields stays as it is.
test.each(Object.entries<Route>(routes))('what was added to the answer of %s may be missing', (name, { answer }) => {
  const before = known.get(name)
  // Older platforms do not have the route at all.
  if (!answer || !before) return
  // Within an object or a list that is new itself, nothing can be missing.
  const added = fieldsOf(answer, '').filter(({ place }) => !before.has(place) && before.has(parentOf(place)))
  expect(added.filter(({ isNeeded }) => isNeeded)).toEqual([])
})

test('every route of the file of known fields is one of the contract, and has them still', () => {
  for (const [name, before] of known) {
    const { answer } = Object.entries<Route>(routes).find(([each]) => each === name)?.[1] ?? {}
    const now = new Set(answer ? ['', ...fieldsOf(answer, '').map(({ place }) => place)] : [''])
    expect({ name, gone: [...before].filter((place) => !now.has(place)) }).toEqual({ name, gone: [] })
  }
})
