// A first deployment by the docker recipe, step by step: in which order, what each step asks for, says, writes and hands on.
import { hash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Deployed,
  deployOnFakeHost,
  inShort,
  sha,
  stepOf,
  taskFolder,
} from '../../../test/docker/fake-deployment.ts'

const up = (service: string) =>
  `run-checked RELEASE TASK/mounted.paths TASK/compose.json DIGEST sh -c … compose --ansi never --progress plain -p shipway-main-7 ` +
  `--project-directory TASK -f TASK/compose.json --env-file ENVIRONMENT/variables.env ` +
  `up --detach --no-deps --no-recreate --no-build --pull never --scale ${service}=1 -- ${service}`

/** Phase, key, what it is called where that is something else, and what it asks for. */
const steps: readonly (readonly [phase: string, key: string, name: string, lines: readonly string[]])[] = [
  ['Prepare', 'Fetch source', '', ['find home', 'find ports', 'fetch main', 'note commit ccccccc']],
  ['Prepare', 'Connect to the server', '', []],
  [
    'Prepare',
    'Read the service file',
    'Read .service.yml',
    [
      `fetch ${sha}`,
      `fetch ${sha}`,
      `fetch ${sha}`,
      'push to /shipway/repositories/3.git',
      'list links',
      'read .service.yml',
    ],
  ],
  ['Prepare', 'Check domains', '', ['list taken domains main.shop.example.com']],
  ['Prepare', 'Read the compose files', 'Find the compose file', ['read compose.yml', 'read .env']],
  ['Prepare', 'Allot ports', 'Allocate ports', ['allocate slots web: in use , foreign ']],
  ['Transfer', 'Push the commit', '', ['write ENVIRONMENT/variables.env', 'write /shipway/read-output.sh']],
  ['Transfer', 'Check out', '', ['check out RELEASE']],
  ['Transfer', 'Write variables', '', ['check-disk /shipway']],
  [
    'Build',
    'Judge the compose project',
    'Check the compose file',
    [
      'inputs-of-compose RELEASE compose.yml',
      'compose --ansi never --progress plain -p shipway-main-7 --project-directory RELEASE -f RELEASE/compose.yml ' +
        '--env-file ENVIRONMENT/variables.env config --format json',
      'write TASK/judged.json',
    ],
  ],
  ['Build', 'Check the disk', '', []],
  [
    'Build',
    'Build images',
    '',
    [
      'fetch cccccccccccccccccccccccccccccccccccccccc',
      'inspect-paths RELEASE',
      'read Dockerfile',
      'change-build-group main … set shipway-main-7 800000 536870912 max',
      'durably in TASK/1',
      'build-images … /shipway/source-policy.proof web 24 docker buildx build --progress plain --load --file RELEASE/Dockerfile --tag shipway-images7-web:42 ' +
        '--provenance false --cgroup-parent /shipway-main-7 --build-arg BUILDKIT_CACHE_MOUNT_NS=cache7 ' +
        '--label shipway.installation=main --label shipway.environment=7 --add-host shipway-cache7=127.0.0.1 -- RELEASE  0',
    ],
  ],
  ['Build', 'Pull images', '', ['durably in TASK/2', 'pull-images migrate:1 redis:7']],
  [
    'Start',
    'Plan services',
    '',
    [
      'inspect-engine main 7 shipway-main-7 shipway-images7-web:42 migrate:1 redis:7',
      'docker info --format {{.NCPU}}',
      'list-containers main 7 …',
      'find-images shipway-images7-web:42 migrate:1 redis:7',
      'list-networks main 7 …',
      'write TASK/compose.json',
    ],
  ],
  ['Start', 'Start level 0', 'Start store', ['durably in TASK/3', up('store')]],
  [
    'Start',
    'Wait for service 0',
    'Wait for store',
    ['durably in TASK/4 within 90 s', 'wait-until-ready main 7 42 store running 0 / 127.0.0.1 30 0'],
  ],
  ['Start', 'Start level 1', 'Start migrate', ['durably in TASK/5', up('migrate')]],
  [
    'Start',
    'Wait for service 1',
    'Wait for migrate',
    ['durably in TASK/6 within 90 s', 'wait-until-ready main 7 42 migrate completed 0 / 127.0.0.1 30 0'],
  ],
  ['Start', 'Start level 2', 'Start web', ['durably in TASK/7', up('web')]],
  [
    'Start',
    'Wait for service 2',
    'Wait for web',
    [
      'durably in TASK/8 within 90 s',
      'wait-until-ready main 7 42 web http 20000 /healthz main.shop.example.com 30 3000',
    ],
  ],
  [
    'Switch',
    'Switch routes',
    '',
    ['switch routes (environment) main.shop.example.com 20000', 'visit main.shop.example.com'],
  ],
  [
    'Clean up',
    'Remove the old version',
    '',
    ['rm -rf -- ENVIRONMENT/replaced TASK/judged.json TASK/compose.json TASK/republished TASK/mounted.paths'],
  ],
  ['Clean up', 'Check the address', '', []],
]

describe('a first deployment', () => {
  let deployed: Deployed

  beforeAll(async () => {
    deployed = await deployOnFakeHost()
  })

  test('goes through its steps in order, and asks for what each needs', () => {
    expect(deployed.error).toBeUndefined()
    expect(deployed.steps.map(({ phase, key, name, lines }) => [phase, key, name, lines.map(inShort)])).toEqual(
      steps.map(([phase, key, name, lines]) => [phase, key, name || key, lines]),
    )
  })

  test('says what people want to know of each step', () => {
    const said = deployed.steps.filter((step) => step.said.length > 0).map((step) => [step.name, ...step.said])
    expect(said).toEqual([
      ['Fetch source', 'cccccccccccc Change (Ada)'],
      ['Connect to the server', 'fake server: /home/shipway'],
      ['Find the compose file', 'compose.yml'],
      ['Push the commit', 'Sent'],
      ['Check the disk', '4096 MiB are free'],
      [
        'Plan services',
        'store: is recreated in place',
        'migrate: does its work once',
        'web: a new container starts beside the old one',
      ],
      ['Switch routes', 'main.shop.example.com leads to port 20000'],
      ['Check the address', 'main.shop.example.com answers with 200'],
    ])
  })

  test('hands on from step to step what the next run can read, and no value of a variable', () => {
    const results = deployed.steps.filter(({ result }) => result !== null).map(({ key, result }) => [key, result])
    const service = {
      name: 'web',
      label: 'web',
      port: 3000,
      health: '/healthz',
      domain: null,
      isMain: true,
      hasStickySessions: false,
    }
    const start = { whyInPlace: null, health: '/', containerPort: null, port: null, slot: null, hasContainer: false }
    const whole = { isWholeByDefinition: true, oldPorts: [] }
    expect(results).toEqual([
      ['Fetch source', { sha, message: 'Change\n\nMore of it', author: 'Ada' }],
      ['Connect to the server', '/home/shipway'],
      [
        'Read the service file',
        {
          recipe: 'docker',
          services: [service],
          actions: [],
          profiles: [],
          release: [],
          seed: [],
          source: { type: 'compose', files: ['compose.yml'] },
        },
      ],
      ['Check domains', [{ service, domain: 'main.shop.example.com' }]],
      [
        'Read the compose files',
        {
          type: 'files',
          links: [],
          writes: [],
          files: ['compose.yml'],
          profiles: [],
          leftOut: [],
          envFiles: {},
          hidden: [],
          hasDefaults: false,
          reads: ['compose.yml'],
        },
      ],
      [
        'Allot ports',
        [
          { service: 'web', slot: 'a', port: 20_000 },
          { service: 'web', slot: 'b', port: 20_001 },
        ],
      ],
      [
        'Judge the compose project',
        { built: ['web'], isPulled: true, ports: { web: 3000 }, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ],
      [
        'Plan services',
        {
          services: [
            {
              ...start,
              ...whole,
              name: 'store',
              level: 0,
              mode: 'in_place',
              dependsOn: [],
              gate: 'running',
              whyInPlace: 'it writes to a volume of its own',
            },
            {
              ...start,
              ...whole,
              name: 'migrate',
              level: 1,
              mode: 'one_shot',
              gate: 'completed',
              dependsOn: ['store'],
            },
            {
              ...start,
              ...whole,
              name: 'web',
              level: 2,
              mode: 'beside',
              gate: 'http',
              health: '/healthz',
              containerPort: 3000,
              port: 20_000,
              dependsOn: ['migrate'],
              slot: 'a',
            },
          ],
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
    ])
    expect(JSON.stringify(deployed.steps)).not.toContain('t0ken')
  })

  test('writes the variables, custom ones first', () => {
    const content = deployed.files.get('/shipway/environments/7/variables.env') ?? ''
    expect(content.split('\n')).toEqual([
      "TOKEN='t0ken'",
      "SERVICE_DOMAIN='main.shop.example.com'",
      "SERVICE_ENV_IDENTIFIER='main'",
      "SERVICE_ENV_TYPE='manual'",
      "SERVICE_ENV_BRANCH='main'",
      '',
    ])
  })

  test('knows what it has checked and what is to run by the digests of the files on the server', () => {
    for (const [name, file] of [
      ['Check the compose file', 'judged.json'],
      ['Plan services', 'compose.json'],
    ] as const) {
      const digest = hash('sha256', deployed.files.get(`${taskFolder}/${file}`) ?? '')
      expect(stepOf(deployed, name).result).toMatchObject({ digest })
    }
    const started = stepOf(deployed, 'Start web').lines.join('\n')
    expect(started).toContain(hash('sha256', deployed.files.get(`${taskFolder}/compose.json`) ?? ''))
  })
})
