// A project for a describe block with two servers, each with an Engine, an edge and an sshd of its own.
import { afterAll, beforeAll } from 'vitest'
import { builtBeforeAll } from '../packages/server/test/stage/built-before.ts'
import { beginJourney } from './journey.ts'
import { addDockerServer } from './servers.ts'

export function stageTwoServers() {
  const settings = { SHIPWAY_LEAST_DISK_MIB: '1', SHIPWAY_DRAIN_SECONDS: '5' }
  const journey = builtBeforeAll(() => beginJourney('embedded', 'local', { settings }), 120_000)
  const first = builtBeforeAll(() => addDockerServer(journey.client, 'First'), 120_000)
  const second = builtBeforeAll(() => addDockerServer(journey.client, 'Second'), 120_000)
  beforeAll(async () => {
    const body = { server_ids: [first.id, second.id], default_recipe: 'docker' as const }
    await journey.client.updateProject({ params: { id: journey.projectId }, body })
  })
  afterAll(async () => {
    await journey.stop?.()
    await first.stop?.()
    await second.stop?.()
  })
  return { journey, first, second }
}
