// What a server says of images: on a real Docker Engine.
import { describe, expect, test } from 'vitest'
import { hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { dockerScript } from '../../../commands/docker/script.ts'

describe.skipIf(!hasDocker)('images', () => {
  test('are listed with what they declare, or as missing', async () => {
    const engine = await sharedEngine()
    const host = createLocalHost('this machine', { DOCKER_HOST: engine.host })
    const container = (await engine.docker('create', 'shipway-test/busybox', 'true')).trim()
    const name = 'shipway-test/declares'
    try {
      const changes = ['EXPOSE 3000', 'VOLUME /data'].flatMap((line) => ['--change', line])
      await engine.docker('commit', ...changes, container, name)
      const command = dockerScript('find-images', name, 'shipway-test/busybox', 'shipway-test/no-such-image')
      const lines = (await host.run(command)).stdout.toString().trim().split('\n')
      expect(lines).toEqual([
        expect.stringMatching(/^sha256:[0-9a-f]{64} \{"\/data":\{\}\}\t\{"3000\/tcp":\{\}\}$/),
        expect.stringMatching(/^sha256:[0-9a-f]{64} null\tnull$/),
        'none',
      ])
    } finally {
      await engine.docker('rm', '--force', container)
      await engine.docker('image', 'rm', '--force', name)
    }
  })
})
