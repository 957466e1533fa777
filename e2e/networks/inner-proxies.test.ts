// Inside an environment a name leads to one version: proxies that resolve their servers once lose no request during a deployment, and
// return no response of the old version after it. The short form; `npm run load -- proxies 50` is the long one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, hasDocker, loadImage, startEngine } from '../../packages/server/test/docker/docker-engine.ts'
import { proxyImage } from '../../packages/server/test/docker/docker-images.ts'
import { hasHaproxy } from '../../packages/server/test/haproxy.ts'
import { hasSshd } from '../../packages/server/test/sshd.ts'
import { OURS, stopProcess } from '../../tools/platform.ts'
import { isOnThePath } from '../../tools/real-parts/programs.ts'
import { deployInARow } from '../load/deploy-in-a-row.ts'
import { innerProxyFiles, innerServices } from '../load/inner-proxies.ts'
import { beginLoadWorld } from '../load/world.ts'
import { buildChanged, buildCommit } from '../operations/other-builds.ts'

const canRun = hasDocker && hasHaproxy && hasSshd && isOnThePath('nginx')

describe.skipIf(!canRun)('proxies inside an environment', () => {
  let engine: Engine

  beforeAll(async () => {
    engine = await startEngine()
    await loadImage(engine, proxyImage())
  })
  afterAll(() => engine?.stop())

  test('lose no request, and return no response of the old version after the switch, from the update of the platform on', async () => {
    using before = older === undefined ? await buildChanged(WITHOUT_NETWORKS) : buildCommit(older)
    const world = await beginLoadWorld({
      dockerHost: engine.host,
      files: innerProxyFiles,
      services: innerServices,
      build: before,
    })
    try {
      const { platform } = world.journey
      const names = async () => (await engine.docker('network', 'ls', '--format', '{{.Name}}')).split('\n')
      expect(await names()).toContainEqual(expect.stringMatching(/^shipway-\w+-1_back$/))
      await stopProcess(platform.process)
      await platform.restart(OURS)
      // The first deployment leaves the network that all versions shared; the second goes from release to release.
      const figures = await deployInARow(world, { deployments: 2, perSecond: 40, sockets: 0 })
      expect(figures.lost).toEqual([])
      expect(figures.requests.sent).toBeGreaterThan(100)
      expect([...figures.requests.versions.keys()].toSorted()).toEqual(['0', '1', '2', 'static'])
    } finally {
      await world.stop()
    }
  })
})

/** The current build without networks for releases; `OLDER=<commit>` uses an earlier one. */
const WITHOUT_NETWORKS = {
  '"shipway.release":String(override.taskId)': '"shipway.before":""',
  'if(external===true||hasIpv4===false)return false': 'return false',
}
const older = process.env.OLDER
