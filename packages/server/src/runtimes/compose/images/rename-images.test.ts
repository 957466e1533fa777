// Images that an earlier version built get names that cannot be guessed: on a real Docker Engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EngineClient, hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { renameImages } from './rename-images.ts'

describe.skipIf(!hasDocker)('images with names of before', () => {
  const installationId = 'renaming'
  const environmentIds = [3, 33]
  let engine: EngineClient
  let container: string

  const imageTokenOf = (id: number): string => `token${id}`
  const rename = () =>
    renameImages(createLocalHost('this machine', { DOCKER_HOST: engine.host }), {
      installationId,
      environmentIds,
      imageTokenOf,
    })
  const names = async () => {
    const filter = `label=shipway.installation=${installationId}`
    const listed = await engine.docker('image', 'ls', '--format', '{{.Repository}}:{{.Tag}}', '--filter', filter)
    return listed.split('\n').filter(Boolean).sort()
  }
  const make = (name: string, environment: number) => {
    const labels = [`shipway.installation=${installationId}`, `shipway.environment=${environment}`]
    const changes = labels.flatMap((label) => ['--change', `LABEL ${label}`])
    return engine.docker('commit', ...changes, container, name)
  }

  beforeAll(async () => {
    engine = await sharedEngine()
    container = (await engine.docker('create', 'shipway-test/busybox', 'true')).trim()
    await make(`shipway-${installationId}-3-web:41`, 3)
    await engine.docker('tag', `shipway-${installationId}-3-web:41`, `shipway-${installationId}-3-web:42`)
    await make(`shipway-${installationId}-33-web:43`, 33)
    await make(`shipway-${installationId}-9-web:44`, 9)
    await make('shipway-token3-api:42', 3)
  })
  afterAll(async () => {
    await engine?.docker('rm', '--force', container)
    await engine?.docker('image', 'rm', '--force', ...(await names()))
  })

  test('are renamed, each to its own environment, and those of others stay', async () => {
    const [id] = (await engine.docker('image', 'inspect', '--format', '{{.Id}}', `shipway-${installationId}-3-web:41`))
      .trim()
      .split('\n')
    const running = (await engine.docker('run', '-d', `shipway-${installationId}-3-web:41`, 'sleep', '999')).trim()
    const renamed = [
      `shipway-${installationId}-9-web:44`,
      'shipway-token3-api:42',
      'shipway-token3-web:41',
      'shipway-token3-web:42',
      'shipway-token33-web:43',
    ]
    try {
      // The second time there is nothing left to do.
      for (let times = 0; times < 2; times++) {
        await rename()
        expect(await names()).toEqual(renamed.toSorted())
      }
      expect(await engine.docker('inspect', '--format', '{{.Image}} {{.State.Running}}', running)).toBe(`${id} true\n`)
    } finally {
      await engine.docker('rm', '--force', running)
    }
  })

  test('are nothing to see where there is no docker', async () => {
    const host = createLocalHost('this machine', { DOCKER_HOST: 'unix:///nowhere.sock' })
    await renameImages(host, { installationId, environmentIds, imageTokenOf })
  })
})
