// What ends a deployment by the docker recipe outside of images and containers: each step fails once, and nothing comes after it.
import { suggestServiceFile } from '@shipway/rules/service-file/suggest-service-file'
import { expect, test } from 'vitest'
import { failOnFakeHost, type Scenario, sha } from '../../../test/docker/fake-deployment.ts'
import { CheckFailed } from '../../domain/tasks/step-fault.ts'
import { ServerUnreachable } from '../../remote/host.ts'
import { SourceError } from '../../source/source-error.ts'

const refuse = (error: Error) => () => Promise.reject(error)

test('a service file of the settings with a fault is named as what it is, and is not used for a commit with a bad one', async () => {
  const serviceFile = 'servces: {}\n'
  const absent = await failOnFakeHost({ deployment: { serviceFile }, source: { readFile: async () => undefined } })
  expect(absent).toMatchObject({ step: 'Read .service.yml' })
  expect(absent.said[0]).toBe("This commit has no .service.yml: using the one from the project's settings")
  expect(absent.message).toContain('.service.yml:1:1: servces is not a known key; did you mean services?')
  const linked = refuse(new SourceError('failed', '.service.yml is no file'))
  const present = await failOnFakeHost({ deployment: { serviceFile }, source: { readFile: linked } })
  expect(present).toMatchObject({ step: 'Read .service.yml', message: '.service.yml is no file', said: [] })
})

test.each<[step: string, scenario: Scenario, message: string]>([
  [
    'Fetch source',
    { source: { fetchCommit: refuse(new SourceError('branch_not_found', 'No such branch')) } },
    'No such branch',
  ],
  [
    'Read .service.yml',
    { source: { readFile: async () => undefined } },
    `.service.yml was not found in the repository root at commit ${sha}. Add one that says what answers where, and push it, or save one in the settings of the project. This one would do:\n\n${suggestServiceFile({ compose: null, dockerfile: null })}`,
  ],
  [
    'Check domains',
    { context: { listTakenDomains: async (domains) => domains } },
    'web: main.shop.example.com belongs to another environment. ' +
      'Give web another domain in .service.yml, or remove that environment first',
  ],
  [
    'Find the compose file',
    { serviceFile: 'services: {}\n', source: { listLinks: refuse(new SourceError('failed', 'Too many files')) } },
    'Too many files',
  ],
  [
    'Connect to the server',
    { answers: { 'find home': refuse(new ServerUnreachable('auth', 'The server refuses us')) } },
    'The server refuses us',
  ],
  [
    'Connect to the server',
    { answers: { 'find home': { exitCode: 1 } } },
    "fake server gives the platform's user no home folder",
  ],
  [
    'Allocate ports',
    { context: { allocateSlots: refuse(CheckFailed('No free port is left')) } },
    'No free port is left',
  ],
  ['Push the commit', { source: { pushCommit: refuse(new SourceError('failed', 'Disk full')) } }, 'Disk full'],
  [
    'Check out',
    { source: { pushCommit: async () => 'already there', checkout: refuse(new SourceError('failed', 'Gone')) } },
    'Gone',
  ],
  [
    'Write variables',
    { answers: { 'write /shipway/environments/7/variables.env': { exitCode: 1, stderr: 'Disk full\n' } } },
    'variables.env could not be written on fake server: Disk full',
  ],
  ['Switch routes', { context: { switchRoutes: refuse(CheckFailed('The domain is taken')) } }, 'The domain is taken'],
])('a failing "%s" ends it there', async (step, scenario, message) => {
  expect(await failOnFakeHost(scenario)).toMatchObject({ step, message })
})

test('a commit that the server has let go of since is sent once more', async () => {
  let times = 0
  const checkout = async () => {
    if (times++ === 0) throw new SourceError('failed', 'Gone')
  }
  const services = { web: { image: 'web:1', privileged: true } }
  expect(await failOnFakeHost({ source: { checkout }, services })).toMatchObject({ step: 'Check the compose file' })
  expect(times).toBe(2)
})

test('a deployment whose switch fails leaves what it has started to the clean-up of the platform', async () => {
  const failed = await failOnFakeHost({ context: { switchRoutes: refuse(CheckFailed('The domain is taken')) } })
  expect(failed.lines).toEqual([])
  expect(failed.said).toEqual([])
})
