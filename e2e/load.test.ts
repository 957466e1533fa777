// The short form of the proofs under load; `npm run load` is the long one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, hasDocker, startEngine } from '../packages/server/test/docker/docker-engine.ts'
import { hasHaproxy } from '../packages/server/test/haproxy.ts'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { badKinds } from './load/bad-kinds.ts'
import { deployBadly } from './load/deploy-badly.ts'
import { deployInARow } from './load/deploy-in-a-row.ts'
import { beginLoadWorld, type LoadWorld } from './load/world.ts'

const shortKinds = new Set([
  'a build that fails',
  'a privileged container',
  'a container that runs out of memory',
  'a container that is unhealthy',
  'a migration that fails',
  'canceled while it builds',
])

/** Version 0 serves when the first test begins, and still does when it ends. */
describe.skipIf(!hasDocker || !hasHaproxy || !hasSshd)('under load', () => {
  let engine: Engine
  let world: LoadWorld

  beforeAll(async () => {
    engine = await startEngine()
    world = await beginLoadWorld({ dockerHost: engine.host, settings: { SHIPWAY_DRAIN_SECONDS: '3' } })
  })
  afterAll(async () => {
    await world?.stop()
    await engine?.stop()
  })

  test('bad deployments disturb no visitor, and say why they failed', async () => {
    const kinds = badKinds.filter(({ name }) => shortKinds.has(name))
    const figures = await deployBadly(world, { kinds, times: 1, perSecond: 25, sockets: 5 })
    expect(figures.deployments).toBe(shortKinds.size)
    expect(figures.wrong).toEqual([])
    expect(figures.lost).toEqual([])
  })

  test('deployments in a row lose no request and cut off no WebSocket', async () => {
    const figures = await deployInARow(world, { deployments: 3, perSecond: 50, sockets: 5 })
    expect(figures.lost).toEqual([])
    expect([...figures.requests.versions.keys()]).toEqual(['0', '1', '2', '3'])
    expect(figures.sockets.ended.length).toBeGreaterThanOrEqual(10)
  })
})
