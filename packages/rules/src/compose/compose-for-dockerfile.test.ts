import { expect, test } from 'vitest'
import { hasCompose, PROJECT, resolve } from '../../test/compose.ts'
import { composeForDockerfile } from './compose-for-dockerfile.ts'
import { checkCompose } from './policy/check-compose.ts'
import { readComposeModel } from './read-compose-model.ts'

const build = { context: 'app', dockerfile: 'docker/$Dockerfile' }

test('each service is a container of the one image', () => {
  const services = [
    { name: 'web', port: 3000 },
    { name: 'api', port: null },
  ]
  const image = { build: { context: './app', dockerfile: 'docker/$$Dockerfile' } }
  expect(composeForDockerfile({ build, services })).toEqual({
    services: { web: { ...image, expose: ['3000'] }, api: image },
  })
})

test('without services there is one container', () => {
  expect(Object.keys(Object(composeForDockerfile({ build, services: [] }).services))).toEqual(['app'])
})

test.skipIf(!hasCompose)('Compose reads it, and the policy lets it pass', async () => {
  const file = composeForDockerfile({ build, services: [{ name: 'web', port: 3000 }] })
  const { checkout, text, refused } = await resolve({ 'compose.yml': file })
  expect(refused).toBeNull()
  const model = readComposeModel(text)
  expect(model.services.get('web')).toMatchObject({ exposed: [3000], build: { context: `${checkout}/app` } })
  const check = {
    checkout,
    platformFolder: '/srv/shipway',
    variablesFile: '/v',
    projectName: PROJECT,
    grants: new Set<never>(),
    routed: new Set(['web']),
  }
  expect(checkCompose(model, check)).toEqual([])
})
