// The short form of the list of hostile inputs, one of each surface. `npm run hostile` is the long one.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { trials } from './hostile-inputs/catalogue.ts'
import { notTried, provenElsewhere } from './hostile-inputs/proven-elsewhere.ts'
import { tryAll } from './hostile-inputs/try-all.ts'
import { openWorld, type World } from './hostile-inputs/world.ts'

/** How many inputs are known. One that is added here is tried, proven by another test, or has a reason. */
const KNOWN = 605

const firsts = [...Map.groupBy(trials, ({ surface }) => surface)].flatMap(([, [first]]) => (first ? [first] : []))

describe.skipIf(!hasDocker || !hasSshd)('hostile inputs', () => {
  let world: World
  beforeAll(() => {
    world = openWorld(async () => (await sharedEngine()).host)
  })
  afterAll(() => world?.stop())

  test.each(firsts)('$surface: $id does no harm', { timeout: 120_000 }, async (trial) => {
    expect(await tryAll(world, [trial])).toMatchObject([{ fault: undefined }])
  })
})

test('every id stands in the list once', () => {
  const ids = [...trials.map(({ id }) => id), ...provenElsewhere.keys(), ...notTried.keys()]
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(ids.length).toBe(KNOWN)
})

test.each([...provenElsewhere])('the proof of %s exists', (_, { file, test: name }) => {
  const path = join(import.meta.dirname, '..', file)
  expect(existsSync(path)).toBe(true)
  expect(readFileSync(path, 'utf8')).toContain(name)
})
