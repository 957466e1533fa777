// Compose is asked again only when something of what it reads is another; what it printed before is checked anew each time.
import { describe, expect, test } from 'vitest'
import { deployOnFakeHost, linesOf, type Scenario, taskFolder } from '../../../../test/docker/fake-deployment.ts'
import { createEncryptedCache } from '../../../secrets/encrypted-cache.ts'
import { Secret } from '../../../secrets/secret.ts'
import type { ComposeConfigCache } from '../../compose-config.ts'

const STEP = 'Check the compose file'
const program = '/usr/libexec/docker/cli-plugins/docker-compose 1:22 333 44 55\n'
const folder = (task: number) => `/shipway/environments/7/releases/${task}`
const webIn = (task: number, further = {}) => ({
  web: { image: 'web:1', volumes: [{ type: 'bind', source: `${folder(task)}/site`, target: '/site' }], ...further },
})

/** Deploys as two tasks, one after the other, and tells what the second asked of Compose and what it has checked. */
async function deployTwice(first: Scenario, second: Scenario = first) {
  const cache = createEncryptedCache({ entries: 10, entryBytes: 100_000 })
  const printedModels: ComposeConfigCache = {
    find: (inputs) => cache.find('a', inputs),
    keep: (text, inputs) => cache.store('a', text, inputs),
  }
  const deploy = (taskId: number, scenario: Scenario) => {
    const answers = { 'inputs-of-compose': { stdout: program }, ...scenario.answers }
    const deployment = { ...scenario.deployment, taskId }
    return deployOnFakeHost({
      services: webIn(taskId),
      ...scenario,
      answers,
      deployment,
      context: { composeConfigs: printedModels },
    })
  }
  await deploy(41, first)
  const deployed = await deploy(42, second)
  return {
    error: deployed.error,
    hasAsked: linesOf(deployed, STEP).some((line) => line.startsWith('compose ')),
    checked: deployed.files.get(`${taskFolder}/judged.json`) ?? '',
  }
}

test('nothing changed: Compose is not asked, and what is mounted is that of the new release', async () => {
  const { error, hasAsked, checked } = await deployTwice({})
  expect(error).toBeUndefined()
  expect(hasAsked).toBe(false)
  expect(checked).toContain(`${folder(42)}/site`)
  expect(checked).not.toContain(folder(41))
})

describe('Compose is asked again where', () => {
  const variables = (value: string) => ({ deployment: { variables: new Map([['TOKEN', new Secret(value)]]) } })
  const seen = (stdout: string) => ({ answers: { 'inputs-of-compose': { stdout } } })
  const source = { 'compose.yml': '{"services":{"web":{"image":"a","env_file":["more.env"]}}}' }
  const profiled = 'services:\n  web: { port: 3000 }\ndocker: { compose: compose.yml, profiles: [a] }\n'
  test.each<[string, Scenario, Scenario]>([
    ['a variable is another', variables('one'), variables('two')],
    ['a file of the release is another', seen(`${program}aa  compose.yml\n`), seen(`${program}bb  compose.yml\n`)],
    ['the program is another', seen(program), seen(program.replace('333', '334'))],
    ['other files are read', {}, { committed: { ...source, 'more.env': '' } }],
    ['files appeared that were absent', { committed: { ...source, 'more.env': '' } }, { committed: source }],
    ['the repository gives another value', { committed: { '.env': 'A=1' } }, { committed: { '.env': 'A=2' } }],
    ['other profiles are enabled', {}, { serviceFile: profiled }],
    ['the program cannot be seen', seen(''), seen('')],
    ['the release cannot be inspected', { answers: { 'inputs-of-compose': { exitCode: 1, stdout: program } } }, {}],
    [
      'contexts are looked up',
      { services: webIn(41, { build: { context: folder(41), additional_contexts: { a: folder(41) } } }) },
      { services: webIn(42, { build: { context: folder(42), additional_contexts: { a: folder(42) } } }) },
    ],
  ])('%s', async (_, first, second) => {
    expect((await deployTwice(first, second)).hasAsked).toBe(true)
  })
})

test('a folder of the release is not confused with one whose name begins alike', async () => {
  const services = { web: { image: 'web:1', labels: { a: `${folder(41)}0/x`, b: `${folder(41)}/y`, c: folder(41) } } }
  const { checked, hasAsked } = await deployTwice({ services })
  expect(hasAsked).toBe(false)
  expect(JSON.parse(checked).services.web.labels).toEqual({
    a: `${folder(41)}0/x`,
    b: `${folder(42)}/y`,
    c: folder(42),
  })
})

test('what the policy refuses by now is refused, though Compose has nothing new to say', async () => {
  const services = { web: { image: 'web:1', privileged: true } }
  const { error, hasAsked } = await deployTwice(
    { services, deployment: { grants: new Set(['privileged']) } },
    { services },
  )
  expect(hasAsked).toBe(false)
  expect(String(error)).toMatch(/services\.web\.privileged/)
})
