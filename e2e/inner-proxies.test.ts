// Inside an environment a name leads to one version: proxies that look their servers up once lose no request by a deployment, and give no
// answer of the old version after it. The short form; `npm run load -- proxies 50` is the long one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, hasDocker, loadImage, startEngine } from '../packages/server/test/docker/docker-engine.ts'
import { proxyImage } from '../packages/server/test/docker/docker-images.ts'
import { hasHaproxy } from '../packages/server/test/haproxy.ts'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { isOnThePath } from '../tools/real-parts/programs.ts'
import { deployInARow } from './load/deploy-in-a-row.ts'
import { innerProxyFiles, innerServices } from './load/inner-proxies.ts'
import { beginLoadWorld, type LoadWorld } from './load/world.ts'

describe.skipIf(!hasDocker || !hasHaproxy || !hasSshd || !isOnThePath('nginx'))('proxies inside an environment', () => {
  let engine: Engine
  let world: LoadWorld

  beforeAll(async () => {
    engine = await startEngine()
    await loadImage(engine, proxyImage())
    const settings = { SHIPWAY_DRAIN_SECONDS: '3' }
    world = await beginLoadWorld({ dockerHost: engine.host, settings, files: innerProxyFiles, services: innerServices })
  }, 120_000)
  afterAll(async () => {
    await world?.stop()
    await engine?.stop()
  })

  test('lose no request, and give no answer of the old version after the switch', { timeout: 240_000 }, async () => {
    const figures = await deployInARow(world, { deployments: 3, perSecond: 200, sockets: 0 })
    expect(figures.lost).toEqual([])
    expect([...figures.requests.versions.keys()].toSorted()).toEqual(['0', '1', '2', '3', 'static'])
  })
})
