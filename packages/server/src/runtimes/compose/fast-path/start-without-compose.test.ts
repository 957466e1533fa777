// The next container of a service that Compose has made one for is made without it, and left to it wherever anything is not as it should be.
import { describe, expect, test } from 'vitest'
import { engineAnswers } from '../../../../test/docker/engine-answers.ts'
import { deployOnFakeHost, linesOf, type Scenario, stepOf } from '../../../../test/docker/fake-deployment.ts'
import type { FakeAnswer } from '../../../../test/fake-host.ts'

const image = { image: 'busybox' }
const live: Scenario['deployment'] = { servingTaskId: 41, live: { taskId: 41, commitSha: 'b'.repeat(40) } }

describe('a service whose container Compose has made', () => {
  const services = { web: { ...image, networks: { default: null } } }
  const model = { name: 'shipway-main-7', services, networks: { default: { name: 'shipway-main-7_default' } } }
  const containers = [{ service: 'web', task: 41, slot: 'a', ports: [20_000], number: 4, composeVersion: '2.26.1' }]
  const seen = engineAnswers({ containers, networks: {}, images: ['sha256:web'] })
  const usual = { compose: { stdout: JSON.stringify(model) }, 'inspect-engine': seen }
  const scenario: Scenario = { services, deployment: live, answers: usual }
  const started = 'start-container shipway-main-7-web-5 main 7 42 web'
  const up = [
    'durably in TASK/3',
    expect.stringMatching(/^run-checked .* up --detach --no-deps --no-recreate .* --scale web=2 -- web$/),
  ]

  test('starts the next one without it, and no value is in the words or on the server', async () => {
    let body = ''
    const take: FakeAnswer = ({ input = '' }) => {
      body = String(input)
      return {}
    }
    const answers = { ...usual, 'start-container': take }
    const deployed = await deployOnFakeHost({ ...scenario, answers })
    expect(linesOf(deployed, 'Start web')).toEqual([started])
    expect(stepOf(deployed, 'Start web').said).toEqual(['Container shipway-main-7-web-5 Started'])
    expect(JSON.parse(body)).toMatchObject({
      Env: expect.arrayContaining(['TOKEN=t0ken', 'SERVICE_DOMAIN=main.shop.example.com']),
      Labels: { 'shipway.task': '42', 'shipway.slot': 'b', 'com.docker.compose.service': 'web' },
      HostConfig: { PortBindings: { '3000/tcp': [{ HostIp: '127.0.0.1', HostPort: '20001' }] } },
    })
    expect(JSON.stringify(deployed.steps)).not.toContain('t0ken')
  })

  test('is left to it where the Engine does not do as it is asked', async () => {
    const answers = { ...usual, 'start-container': { exitCode: 3 } }
    expect(linesOf(await deployOnFakeHost({ ...scenario, answers }), 'Start web')).toEqual([started, ...up])
  })

  const check = 'wait-until-ready main 7 42 web http 20001 /healthz main.shop.example.com'

  test('is checked for a moment before durable work waits for it', async () => {
    const deployed = await deployOnFakeHost(scenario)
    const quick = 'answers-at-once shipway-main-7-web-5 http 20001 /healthz main.shop.example.com'
    expect(linesOf(deployed, 'Wait for web')).toEqual([quick])
    expect(stepOf(deployed, 'Wait for web').said).toEqual(['It is ready'])
    const durable = ['durably in TASK/4 within 90 s', `${check} 30 3000`]
    const waited = async (answers: Scenario['answers']) =>
      linesOf(await deployOnFakeHost({ ...scenario, answers: { ...usual, ...answers } }), 'Wait for web')
    expect(await waited({ 'answers-at-once': { exitCode: 1 } })).toEqual([quick, ...durable])
    const unknown = { 'answers-at-once': { exitCode: 3 }, 'wait-until-ready': [{ exitCode: 44 }, {}] }
    expect(await waited(unknown)).toEqual([quick, `${check} 2 0 shipway-main-7-web-5`, ...durable])
  })

  test('is left to it where its network is one that all versions share', async () => {
    const shared = { ...model, networks: { default: { name: 'shipway-main-7_default', external: true } } }
    const deployment: Scenario['deployment'] = { ...live, grants: new Set(['external_networks'] as const) }
    const answers = { ...usual, compose: { stdout: JSON.stringify(shared) } }
    expect(linesOf(await deployOnFakeHost({ ...scenario, deployment, answers }), 'Start web')).toEqual(up)
  })

  test('is left to it by a run that takes over', async () => {
    const first = await deployOnFakeHost(scenario)
    const kept = first.steps.slice(0, 1 + first.steps.findIndex(({ key }) => key === 'Plan services'))
    const { files } = first
    expect(linesOf(await deployOnFakeHost({ ...scenario, kept, files }), 'Start web')).toEqual(up)
  })

  test('is left to it where the service has something that is not known', async () => {
    const web = { ...services.web, tmpfs: ['/tmp'] }
    const answers = { ...usual, compose: { stdout: JSON.stringify({ ...model, services: { web } }) } }
    expect(linesOf(await deployOnFakeHost({ ...scenario, answers }), 'Start web')).toEqual(up)
  })
})
