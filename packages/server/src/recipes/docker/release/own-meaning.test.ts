// Compose files as people have them: what the platform takes in its own meaning, says, and asks for.
import { describe, expect, test } from 'vitest'
import { deployOnFakeHost, failOnFakeHost, stepOf, taskFolder } from '../../../../test/docker/fake-deployment.ts'

const STEP = 'Check the compose file'
const least = 'services: { web: {} }\n'
const web = { image: 'nginx', networks: { default: null } }
const runs = ({ files }: { files: ReadonlyMap<string, string> }) =>
  JSON.parse(files.get(`${taskFolder}/compose.json`) ?? '').services.web

describe('a service without a port in .service.yml', () => {
  test('is reached at the one that the compose file publishes, which the host never gets', async () => {
    const services = { web: { ...web, expose: ['9000'], ports: [{ target: 8080, published: '80', protocol: 'tcp' }] } }
    const deployed = await deployOnFakeHost({ serviceFile: least, services })
    expect(deployed.error).toBeUndefined()
    expect(runs(deployed).ports).toEqual(['127.0.0.1:20000:8080'])
    expect(stepOf(deployed, STEP).said).toEqual([
      'services.web: nothing is published on the host, ports are left out. ' +
        'Port 8080 of the container can be routed in .service.yml',
    ])
  })

  test('is reached at the one that its image exposes', async () => {
    const answers = { 'find-images': { stdout: 'sha256:web null\t{"3000/tcp":{},"53/udp":{}}\n' } }
    const deployed = await deployOnFakeHost({ serviceFile: least, services: { web }, answers })
    expect(deployed.error).toBeUndefined()
    expect(runs(deployed).ports).toEqual(['127.0.0.1:20000:3000'])
  })

  test.each([
    ['{"80/tcp":{},"443/tcp":{}}', 'The image names several ports of web: 80, 443. Name the one that answers HTTP'],
    ['null', 'Nothing says which port web listens on'],
  ])('is asked for where its image says %s', async (exposed, message) => {
    const answers = { 'find-images': { stdout: `sha256:web null\t${exposed}\n` } }
    const failed = await failOnFakeHost({ serviceFile: least, services: { web }, answers })
    expect(failed).toMatchObject({ step: 'Plan services', message: expect.stringContaining(message) })
  })
})

test('the clock of a server that has none is not mounted', async () => {
  const bind = { type: 'bind', source: '/etc/timezone', target: '/etc/timezone', read_only: true }
  const services = { web: { ...web, volumes: [bind, { ...bind, source: '/etc/localtime' }] } }
  const answers = { 'test -f /etc/timezone': { exitCode: 1 } }
  const deployed = await deployOnFakeHost({ services, answers })
  expect(runs(deployed).volumes).toEqual([{ ...bind, source: '/etc/localtime', bind: { create_host_path: false } }])
  expect(stepOf(deployed, STEP).said).toEqual(['/etc/timezone is not on fake server, and is not mounted'])
})

describe('a port that an owner lets the file publish', () => {
  const services = { web: { ...web, ports: [{ target: 80, published: '8080', protocol: 'tcp' }] } }
  const deployment = { grants: new Set(['host_ports'] as const) }

  test('is published on 127.0.0.1', async () => {
    const deployed = await deployOnFakeHost({ services, deployment, context: { claimPorts: async () => new Map() } })
    expect(deployed.error).toBeUndefined()
    expect(runs(deployed).ports).toContainEqual(expect.objectContaining({ host_ip: '127.0.0.1', published: '8080' }))
  })

  test.each([
    ['another environment', { claimPorts: async () => new Map([[8080, 'the environment main of shop']]) }, ''],
    ['something else', { claimPorts: async () => new Map<number, string>() }, 'listens 1F90 7\n'],
  ])('is refused before anything starts where %s has it', async (_, context, stdout) => {
    const failed = await failOnFakeHost({ services, deployment, context, answers: { 'find ports': { stdout } } })
    expect(failed).toMatchObject({
      step: STEP,
      message: expect.stringContaining('web: port 8080 of the server belongs'),
    })
  })
})
