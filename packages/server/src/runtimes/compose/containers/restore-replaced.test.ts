// Bringing back on a real Engine, where an earlier try was cut off half-way; whole deployments are tried in e2e.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EngineClient, hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { replacedFolder } from '../../../deployment/folders.ts'
import { definitionFile, keepDefinition } from './definition.ts'
import { restoreReplaced } from './restore-replaced.ts'

const installationId = `back${process.pid}`
const names = { front: `${installationId}-front`, back: `${installationId}-back`, store: `${installationId}-store` }

describe.skipIf(!hasDocker)('a container that is restored', () => {
  const folder = mkdtempSync(join(tmpdir(), 'restore-replaced-'))
  let engine: EngineClient

  beforeAll(async () => {
    engine = await sharedEngine()
    for (const network of [names.front, names.back]) await engine.docker('network', 'create', network)
  })
  afterAll(async () => {
    const own = ['--filter', `label=shipway.installation=${installationId}`]
    const ids = (await engine.docker('ps', '--all', '--quiet', ...own)).split('\n').filter(Boolean)
    if (ids.length > 0) await engine.docker('rm', '--force', ...ids)
    await engine.docker('network', 'rm', names.front, names.back)
    rmSync(folder, { recursive: true })
  })

  const create = async (name: string, labels: Record<string, string>): Promise<string> => {
    const all = { installation: installationId, environment: '7', service: 'store', mode: 'in_place', ...labels }
    const words = Object.entries(all).flatMap(([key, value]) => ['--label', `shipway.${key}=${value}`])
    const where = ['--name', name, '--network', names.front]
    return (await engine.docker('create', ...where, ...words, 'shipway-test/busybox', 'sleep', '9999')).trim()
  }
  const networksOf = async (name: string) => {
    const networks = await engine.docker('inspect', '--format', '{{json .NetworkSettings.Networks}}', name)
    return Object.entries<{ Aliases: string[] | null }>(JSON.parse(networks)).map(([network, { Aliases }]) => [
      network,
      Aliases?.includes('memory') ?? false,
    ])
  }

  test('has all its networks, also where the try before was cut off between two', async () => {
    const host = createLocalHost('here', { DOCKER_HOST: engine.host })
    const served = await create(names.store, { task: '1' })
    await engine.docker('network', 'connect', '--alias', 'memory', names.back, served)
    await keepDefinition(host, served, definitionFile(replacedFolder(folder), 'store'))
    await engine.docker('rm', '--force', served)
    await create(names.store, { task: '2', origin: 'replaced' })
    // As the try before left it: made by the definition, and connected to the first network alone.
    await create(`${names.store}.back`, { task: '1' })

    const environment = { installationId, environmentId: 7, folder, keptOutput: { days: 14, bytes: 1024 ** 3 } }
    expect(await restoreReplaced(host, environment, 1)).toMatchObject([{ outcome: 'back' }])
    expect(await networksOf(names.store)).toEqual([
      [names.back, true],
      [names.front, false],
    ])
    expect(await engine.docker('inspect', '--format', '{{.State.Status}}', names.store)).toBe('running\n')
  })
})
