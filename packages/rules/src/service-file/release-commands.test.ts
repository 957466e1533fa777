import { expect, test } from 'vitest'
import { readRepositoryConfig } from './read-repository-config.ts'
import { commandFaults } from './release-commands.ts'

const faultsOf = (text: string, ...known: string[]) =>
  commandFaults(readRepositoryConfig(text, 'docker'), known).map(({ sentence }) => sentence)

const web = 'services: { api: {}, web: { main: true } }\n'

test('a command without a service runs in the main one', () => {
  expect(faultsOf(`${web}docker: { release: { run: migrate } }`, 'web', 'api')).toEqual([])
})

test('a service that the compose file does not have is a fault, with those that it has', () => {
  expect(faultsOf(`${web}docker: { release: { run: migrate, service: wbe } }`, 'web', 'db')).toEqual([
    'docker.release runs in wbe, which the compose file does not have. It has web, db',
  ])
})

test('without routes a command must name its service', () => {
  expect(faultsOf('docker: { seed: { run: fill } }', 'web')).toEqual([
    'docker.seed names no service. Add service: to it',
  ])
})
