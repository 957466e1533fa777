// What is checked of the compose files once Compose has resolved them, before anything of the release runs.
import { describe, expect, test } from 'vitest'
import {
  deployOnFakeHost,
  failOnFakeHost,
  linesOf,
  release,
  type Scenario,
  stepOf,
  taskFolder,
} from '../../../../test/docker/fake-deployment.ts'
import { TooMuchOutput } from '../../../remote/host.ts'

const STEP = 'Check the compose file'
const image = { image: 'busybox' }
const refuse = (error: Error) => () => {
  throw error
}

test.each<[string, Scenario, string]>([
  [
    'a routed service has several ports',
    { serviceFile: 'services:\n  web:\n', services: { web: { ...image, expose: ['80', '443'] } } },
    'The compose file names several ports of web: 80, 443. Name the one that answers HTTP in .service.yml, ' +
      'as in services: { web: { port: 80 } }',
  ],
  [
    'Compose cannot read them',
    { answers: { compose: { exitCode: 15, stderr: 'warning\nservices.web: additional property x\n' } } },
    'Docker Compose cannot read this: services.web: additional property x',
  ],
  [
    'they come to too much',
    { answers: { compose: refuse(new TooMuchOutput()) } },
    'The compose files come to more than a mebibyte. Take out what is not needed',
  ],
  [
    'what they ask for may not be had',
    { services: { web: { ...image, privileged: true } } },
    expect.stringContaining('services.web.privileged'),
  ],
  [
    'the one that is routed is not among them',
    { services: { api: image } },
    '.service.yml routes web, which the compose file does not have. It has api',
  ],
  [
    'what is mounted is a link on the server',
    { ...mounting('./config'), paths: { config: 'link' } },
    'A link leads elsewhere from config, which is mounted',
  ],
  [
    'Docker cannot be asked for volumes',
    { ...mounting('./config'), answers: { 'docker volume ls': { exitCode: 1, stderr: 'Cannot connect' } } },
    'Docker on fake server cannot be asked: Cannot connect',
  ],
  [
    'they mount more than can be compared',
    { services: { web: { ...image, volumes: Array.from({ length: 151 }, (_, at) => bind(`./${at}`, `/${at}`)) } } },
    'The compose file has more than 150 mounts. Mount the folders that they are in instead',
  ],
])('nothing is kept or run where %s', async (_, scenario, message) => {
  const failed = await failOnFakeHost(scenario)
  expect(failed).toMatchObject({ step: STEP, message })
  expect(failed.lines.filter((line) => line.startsWith('write'))).toEqual([])
})

function bind(path: string, target: string) {
  return { type: 'bind', source: path.replace(/^\./, release), target }
}

function mounting(path: string): Scenario {
  return { services: { web: { ...image, volumes: [bind(path, '/there')] } } }
}

describe('a path of the repository that is mounted', () => {
  const kept = ({ files }: { files: ReadonlyMap<string, string> }) =>
    JSON.parse(files.get(`${taskFolder}/judged.json`) ?? '').services.web.volumes

  test('is checked with the folders that the environment has, and read-only where the commit has it', async () => {
    const answers = { 'docker volume ls': { stdout: 'old\n../out\n' } }
    const deployed = await deployOnFakeHost({ ...mounting('./config'), answers })
    expect(linesOf(deployed, STEP).slice(2, -1)).toEqual([
      'docker volume ls --format {{.Label "shipway.folder"}} --filter label=shipway.installation=main ' +
        '--filter label=shipway.environment=7 --filter label=shipway.folder',
      'inspect-paths RELEASE',
    ])
    expect(kept(deployed)).toEqual([{ ...bind('./config', '/there'), read_only: true }])
  })

  test('is a persistent folder where the commit has nothing there, which is said', async () => {
    const deployed = await deployOnFakeHost({ ...mounting('./uploads'), paths: { uploads: 'absent' } })
    expect(stepOf(deployed, STEP).said).toEqual([
      'web: ./uploads is not in the commit: it is a persistent folder of the environment, ' +
        'which is deleted only with the environment or by a reset',
    ])
    expect(kept(deployed)).toEqual([expect.objectContaining({ type: 'volume', target: '/there' })])
  })

  test('is checked once more directly before it is mounted', async () => {
    const deployed = await deployOnFakeHost(mounting('./config'))
    expect(linesOf(deployed, 'Plan services').slice(-2)).toEqual([
      'write TASK/compose.json',
      'write TASK/mounted.paths',
    ])
    expect(deployed.files.get(`${taskFolder}/mounted.paths`)).toBe(`${release}/config\n`)
  })
})
