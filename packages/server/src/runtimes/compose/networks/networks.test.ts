// The networks of a release, from the step in which they are made to the end of those of the old version.
import { describe, expect, test } from 'vitest'
import { engineAnswers } from '../../../../test/docker/engine-answers.ts'
import {
  deployOnFakeHost,
  failOnFakeHost,
  linesOf,
  type Scenario,
  stepOf,
  taskFolder,
} from '../../../../test/docker/fake-deployment.ts'

const own = 'shipway-main-7r0000000042_default'
const before = 'shipway-main-7r0000000041_default'
const networks = { default: { name: 'shipway-main-7_default', attachable: true } }
const services = {
  web: { image: 'web:1', networks: { default: null } },
  db: {
    image: 'db:1',
    networks: { default: { aliases: ['database'] } },
    volumes: [{ type: 'volume', source: 'data', target: '/data' }],
  },
}
const model = { name: 'shipway-main-7', services, networks, volumes: { data: {} } }
const live: Scenario['deployment'] = { servingTaskId: 41, live: { taskId: 41, commitSha: 'b'.repeat(40) } }
const web = { service: 'web', task: 41, release: 41, slot: 'a', ports: [20_000], networks: [before] }
const scenario: Scenario = { services, deployment: live, answers: { compose: { stdout: JSON.stringify(model) } } }

/** A database that did not change, started by an earlier release. */
async function unchangedDb() {
  const { files } = await deployOnFakeHost(scenario)
  const { db } = JSON.parse(files.get(`${taskFolder}/compose.json`) ?? '').services
  const hash = db.labels['shipway.hash']
  return { service: 'db', task: 40, release: 40, mode: 'in_place', hash, networks: ['of-40', before] }
}
const seen = (containers: Parameters<typeof engineAnswers>[0]['containers'], all: Readonly<Record<string, number>>) =>
  engineAnswers({ containers, networks: all, images: ['sha256:web', 'sha256:db'] })

test('are made while images are provided, as the file says, and Compose only finds them', async () => {
  const deployed = await deployOnFakeHost(scenario)
  expect(linesOf(deployed, 'Pull images')).toContain(
    `make-networks main 7 shipway-main-7 42 default ${own} 1 --attachable`,
  )
  expect(linesOf(deployed, 'Plan services').filter((line) => line.startsWith('make-networks'))).toEqual([])
  const document = JSON.parse(deployed.files.get(`${taskFolder}/compose.json`) ?? '')
  expect(document.networks).toEqual({ default: { name: own, external: true } })
  expect(document.services.web.labels).toMatchObject({ 'shipway.release': '42' })
})

test('are joined by what did not change, before anything starts', async () => {
  const db = await unchangedDb()
  const answers = { ...scenario.answers, 'inspect-engine': seen([web, db], { [before]: 41, 'of-40': 40 }) }
  const lines = linesOf(await deployOnFakeHost({ ...scenario, answers }), 'Plan services')
  expect(lines).toContain(`connect-container db-of-40 ${own} 2 db database`)
  expect(lines.some((line) => line.startsWith('remove-networks'))).toBe(false)
})

test('of deployments that came to nothing go before the next one starts', async () => {
  const db = await unchangedDb()
  const joined = { ...db, networks: ['of-40', before, 'of-39'] }
  const answers = {
    ...scenario.answers,
    'inspect-engine': seen([web, joined], { [before]: 41, 'of-40': 40, 'of-39': 39 }),
  }
  const lines = linesOf(await deployOnFakeHost({ ...scenario, answers }), 'Plan services')
  expect(lines).toContain('remove-networks of-39 1 db-of-40')
})

test('of deployments that came to nothing go also while something that they replaced is not back; what it was in stays', async () => {
  const serving = { ...web, task: 39, release: 39, networks: ['of-39'] }
  const failed = { service: 'db', task: 41, release: 41, mode: 'in_place', origin: 'replaced', networks: ['of-41'] }
  const answers = {
    ...scenario.answers,
    'inspect-engine': seen([serving, failed], { 'of-38': 38, 'of-39': 39, 'of-40': 40, 'of-41': 41, [own]: 42 }),
  }
  const deployment = { servingTaskId: 39, live: { taskId: 39, commitSha: 'b'.repeat(40) } }
  const lines = linesOf(await deployOnFakeHost({ ...scenario, deployment, answers }), 'Plan services')
  expect(lines.filter((line) => line.startsWith('remove-networks'))).toEqual(['remove-networks of-40 0'])
})

describe('of the old version', () => {
  const listed = (...all: readonly { readonly name: string; readonly release: number }[]) => ({
    stdout: all.map((one) => JSON.stringify({ driver: 'bridge', ...one, release: String(one.release) })).join('\n'),
  })
  const ended = async (containers: readonly object[]) => {
    const lines = containers.map((one) =>
      JSON.stringify({ id: 'x', status: 'running', health: '', ports: '', mode: 'beside', origin: 'new', ...one }),
    )
    const answers = {
      ...scenario.answers,
      'list-containers': [{ stdout: '' }, { stdout: lines.join('\n') }],
      'list-networks': listed(
        { name: own, release: 42 },
        { name: before, release: 41 },
        { name: 'of-43', release: 43 },
      ),
      'remove-networks': { stdout: `${before} stays: it is in use\n` },
    }
    const { error, afterwards } = await deployOnFakeHost({ ...scenario, answers })
    expect(error).toBeUndefined()
    return afterwards
  }
  const db = { id: 'db', service: 'db', task: 40, release: 40, networks: `of-40,${before},${own}` }
  const old = { id: 'old', service: 'web', task: 41, release: 41, networks: before }
  const now = { id: 'now', service: 'web', task: 42, release: 42, networks: own }

  test('go when its containers have, and what has only joined them leaves; those of a later one stay', async () => {
    const { lines, said } = await ended([db, old, now])
    expect(lines.slice(-2)).toEqual(['list-networks main 7 …', `remove-networks ${before} 1 db`])
    expect(said).toContain(`${before} stays: it is in use`)
  })

  test('are left to a later deployment that is under way', async () => {
    const later = { id: 'later', service: 'db', task: 43, release: 43, networks: 'of-43' }
    expect((await ended([db, old, now, later])).lines.some((line) => line.startsWith('list-networks'))).toBe(false)
  })
})

describe('that cannot be made', () => {
  const fail = (stderr: string) =>
    failOnFakeHost({ ...scenario, answers: { ...scenario.answers, 'make-networks': { exitCode: 1, stderr } } })

  test.each([
    'could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network',
    'all predefined address pools have been fully subnetted',
  ])('are reported with what to do where there is no range left: %s', async (said) => {
    const failed = await fail(`Error response from daemon: ${said}\n`)
    expect(failed).toMatchObject({ step: 'Plan services', message: expect.stringContaining('default-address-pools') })
  })

  test('are reported in the words of Docker', async () => {
    expect((await fail('no such luck\n')).message).toBe('A network cannot be made on fake server: no such luck')
  })
})

test('of a build that fails are not made any more when it has ended', async () => {
  let isMade = false
  const answers = {
    ...scenario.answers,
    'make-networks': async () => {
      await new Promise((resolve) => setImmediate(resolve))
      isMade = true
      return {}
    },
    'pull-images': { exitCode: 1, stdout: 'no\n' },
  }
  await failOnFakeHost({ ...scenario, answers })
  expect(isMade).toBe(true)
})

test('a service that cannot join is reported', async () => {
  const answers = {
    ...scenario.answers,
    'inspect-engine': seen([web, await unchangedDb()], { [before]: 41, 'of-40': 40 }),
    'connect-container': { exitCode: 1, stderr: 'No such container\n' },
  }
  expect(await failOnFakeHost({ ...scenario, answers })).toMatchObject({
    message: 'db cannot join the network of the new version on fake server: No such container',
  })
})

test('services that are connected to what goes are named', async () => {
  const db = await unchangedDb()
  const now = { service: 'web', task: 42, release: 42, slot: 'b', networks: [own] }
  const line = ({ service, task }: { service: string; task: number }) =>
    JSON.stringify({ id: `${service}-of-${task}`, service, task, status: 'running', health: '', ports: '' })
  const answers = {
    ...scenario.answers,
    'inspect-engine': seen([web, db], { [before]: 41, 'of-40': 40 }),
    'list-containers': { stdout: [web, db, now].map(line).join('\n') },
    'find-connections': { stdout: 'db-of-40 web-of-41\n' },
  }
  const deployed = await deployOnFakeHost({ ...scenario, answers })
  expect(linesOf(deployed, 'Remove the old version')).toContain('find-connections 1 db-of-40 web-of-41')
  expect(stepOf(deployed, 'Remove the old version').said).toEqual([
    'db did not change and is connected to the old container of web, which goes now. ' +
      'Name web under depends_on of db: then both are replaced together',
  ])
})
