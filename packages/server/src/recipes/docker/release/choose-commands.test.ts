import { readRepositoryConfig } from '@shipway/rules/service-file/read-repository-config'
import { expect, test } from 'vitest'
import { chooseCommands } from './choose-commands.ts'

const config = readRepositoryConfig(
  `services: { web: {} }
docker:
  release: [{ run: migrate, timeout: 10m }, { run: publish, service: api, on_rollback: true }]
  seed: { run: fill }
`,
  'docker',
)
const chosen = (deployment: Parameters<typeof chooseCommands>[1]) =>
  chooseCommands(config, deployment).map(({ script, service }) => `${script} in ${service}`)

test('a first deployment, and one after a reset, seeds after its release commands', () => {
  expect(chosen({ hasBeenLive: false, rollbackTo: null })).toEqual(['migrate in web', 'publish in api', 'fill in web'])
})

test('a later deployment does not seed', () => {
  expect(chosen({ hasBeenLive: true, rollbackTo: null })).toEqual(['migrate in web', 'publish in api'])
})

test('a rollback runs only what asks for it', () => {
  expect(chosen({ hasBeenLive: true, rollbackTo: 1 })).toEqual(['publish in api'])
})

test('a file that an earlier version of the platform has read has none', () => {
  expect(chooseCommands({ services: [] }, { hasBeenLive: true, rollbackTo: null })).toEqual([])
})
