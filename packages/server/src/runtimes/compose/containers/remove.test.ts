// Containers are removed, also where several do it at once: on a real Docker Engine.
import { describe, expect, test } from 'vitest'
import { hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import { networkScript } from '../networks/network-script.ts'

describe.skipIf(!hasDocker)('containers', () => {
  test('go with all of their environment, even if another process removes them at that moment', async () => {
    const engine = await sharedEngine()
    const host = createLocalHost('this machine', { DOCKER_HOST: engine.host })
    const labels = ['shipway.installation=removing', 'shipway.environment=7'].flatMap((label) => ['--label', label])
    const everything = dockerScript('remove-everything', 'removing', '7', 'shipway-removing-7', 'required')
    for (let round = 0; round < 3; round++) {
      const ids = await Promise.all(
        [1, 2].map(async () =>
          (await engine.docker('run', '--detach', ...labels, 'shipway-test/busybox', 'sleep', '99')).trim(),
        ),
      )
      const ends = await Promise.all([
        host.run(dockerScript('remove-containers', ...ids)),
        ...[1, 2, 3].map(() => host.run(everything)),
      ])
      expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
      const left = await engine.docker('ps', '--all', '--quiet', '--filter', 'label=shipway.installation=removing')
      expect(left).toBe('')
    }
  })

  test('go with the networks of their releases, which the end of a deployment may remove at that moment', async () => {
    const engine = await sharedEngine()
    const host = createLocalHost('this machine', { DOCKER_HOST: engine.host })
    const project = ['--label', 'com.docker.compose.project=shipway-removing-8']
    const everything = dockerScript('remove-everything', 'removing', '8', 'shipway-removing-8', 'required')
    const names = [1, 2, 3, 4].map((release) => `shipway-removing-8r${release}_default`)
    for (let round = 0; round < 3; round++) {
      for (const name of names) await engine.docker('network', 'create', ...project, name)
      const ends = await Promise.all([
        host.run(networkScript('remove-networks', ...names.flatMap((name) => [name, '0']))),
        ...[1, 2].map(() => host.run(everything)),
      ])
      expect(ends.map(({ exitCode, stderr }) => [exitCode, stderr.toString()])).toEqual([1, 2, 3].map(() => [0, '']))
      expect(await engine.docker('network', 'ls', '--quiet', '--filter', `label=${project[1]}`)).toBe('')
    }
  })

  test('go once, even if another process removes them at that moment', async () => {
    const engine = await sharedEngine()
    const host = createLocalHost('this machine', { DOCKER_HOST: engine.host })
    const start = async () =>
      (
        await engine.docker('run', '--detach', 'shipway-test/busybox', 'sh', '-c', 'trap exit TERM; sleep 99 & wait')
      ).trim()
    for (let round = 0; round < 3; round++) {
      const ids = await Promise.all([start(), start()])
      const ends = await Promise.all(
        Array.from({ length: 4 }, () => host.run(dockerScript('remove-containers', ...ids))),
      )
      expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0])
      expect((await host.run(dockerScript('remove-containers', ...ids, 'no-such-container'))).exitCode).toBe(0)
    }
  })
})
