// Running containers join the networks of a release under all their names: on a real Docker Engine.
import { describe, expect, test } from 'vitest'
import { hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { joinNetworks } from './join-networks.ts'

describe.skipIf(!hasDocker)('a container that joins networks', () => {
  test('has every alias of the compose file there, whatever characters it has', async () => {
    const engine = await sharedEngine()
    const host = createLocalHost('this machine', { DOCKER_HOST: engine.host })
    const names = ['joining-front', 'joining-back']
    for (const name of names) await engine.docker('network', 'create', name)
    const containerId = (await engine.docker('run', '--detach', 'shipway-test/busybox', 'sleep', '99')).trim()
    const aliases = [
      ['db', '-db', '*', '--ip', '10.0.0.9'],
      ['two words', 'größe', '$(id)', "it's", 'one,two', '"quoted"', 'say "a, b"'],
    ]
    try {
      const networks = names.map((name, at) => ({ name, aliases: aliases[at] ?? [] }))
      // The second call finds it in both.
      for (const _ of [1, 2]) await joinNetworks(host, [{ containerId, service: 'db', networks }])
      const joined = JSON.parse(
        await engine.docker('inspect', '--format', '{{json .NetworkSettings.Networks}}', containerId),
      )
      expect(names.map((name) => joined[name].Aliases)).toEqual(aliases.map((own) => expect.arrayContaining(own)))
    } finally {
      await engine.docker('rm', '--force', containerId)
      await engine.docker('network', 'rm', ...names)
    }
  })
})
