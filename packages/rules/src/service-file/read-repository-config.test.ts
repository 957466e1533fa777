import type { Recipe } from '@shipway/api/values/recipe'
import { expect, test } from 'vitest'
import { readRepositoryConfig } from './read-repository-config.ts'
import { type FileFault, RepositoryConfigFault } from './repository-config.ts'

const example = `services:
  web:   { port: 3000, health: /healthz }
  api:   { port: 8080, domain: api.example.com }
docker:
  compose: compose.yml
manual:
  deploy:  [{ name: Install, run: npm ci }, { run: ./restart.sh, timeout: 10m }]
  destroy: [{ run: ./stop.sh }]
actions:
  dump: { run: "pg_dump app > dump.sql", service: db, artifacts: { paths: ["dump*.sql", "reports/**"] } }
`
const services = [
  { name: 'web', label: 'web', port: 3000, health: '/healthz', domain: null, isMain: true, hasStickySessions: false },
  {
    name: 'api',
    label: 'api',
    port: 8080,
    health: null,
    domain: 'api.example.com',
    isMain: false,
    hasStickySessions: false,
  },
]
const actions = [
  {
    name: 'dump',
    disabled: null,
    run: 'pg_dump app > dump.sql',
    service: 'db',
    artifactPaths: ['dump*.sql', 'reports/**'],
    timeoutMs: null,
    schedule: null,
  },
]

test('the docker recipe takes its own section, the services and the actions', () => {
  const source = { type: 'compose', files: ['compose.yml'] }
  expect(readRepositoryConfig(example, 'docker')).toEqual({
    recipe: 'docker',
    profiles: [],
    release: [],
    seed: [],
    services,
    actions,
    source,
  })
})

test('sessions are sticky where the file says so', () => {
  const { services: read } = readRepositoryConfig('services: { web: { sticky_sessions: true }, api: {} }', 'docker')
  expect(read.map(({ hasStickySessions }) => hasStickySessions)).toEqual([true, false])
  const fault = 'services.web.sticky_sessions: Give true or false'
  expect(() => readRepositoryConfig('services: { web: { sticky_sessions: cookie } }', 'docker')).toThrow(fault)
})

test('the docker recipe runs commands before the switch: one, or a list of them', () => {
  const { release, seed } = readRepositoryConfig(
    `docker:
  release: { run: npm run migrate, service: web, timeout: 10m, on_rollback: true }
  seed: [{ run: npm run seed }, { name: Users, run: ./users.sh }]
`,
    'docker',
  )
  expect(release).toEqual([
    { name: 'npm run migrate', run: 'npm run migrate', service: 'web', timeoutMs: 600_000, runsOnRollback: true },
  ])
  const seeded = { service: null, timeoutMs: null, runsOnRollback: false }
  expect(seed).toEqual([
    { name: 'npm run seed', run: 'npm run seed', ...seeded },
    { name: 'Users', run: './users.sh', ...seeded },
  ])
})

test.each([
  ['docker: { release: npm run migrate }', 'docker.release: Give a map with name, run, service, timeout, on_rollback'],
  ['docker: { release: { service: web } }', 'docker.release: Add run with the command'],
  ['docker: { release: { run: a, timeout: 2d } }', 'docker.release.timeout: '],
  ['docker: { seed: { run: a, on_rollback: true } }', 'docker.seed.on_rollback is not a known key'],
  [`docker: { release: [${Array(11).fill('{ run: a }').join()}] }`, 'docker.release: At most 10 entries'],
])('commands before the switch: %j is a fault', (text, sentence) => {
  expect(() => readRepositoryConfig(text, 'docker')).toThrow(sentence)
})

test('the manual recipe takes its own section, the services and the actions', () => {
  expect(readRepositoryConfig(example, 'manual')).toEqual({
    recipe: 'manual',
    services,
    actions,
    deploy: [
      { name: 'Install', run: 'npm ci', timeoutMs: null },
      { name: './restart.sh', run: './restart.sh', timeoutMs: 600_000 },
    ],
    destroy: [{ name: './stop.sh', run: './stop.sh', timeoutMs: null }],
  })
})

test.each([
  [
    'docker: { compose: [compose.yml, ./deploy/prod.yml] }',
    { type: 'compose', files: ['compose.yml', 'deploy/prod.yml'] },
  ],
  ['docker: { build: . }', { type: 'build', context: '.', dockerfile: 'Dockerfile' }],
  ['docker: { build: { context: app } }', { type: 'build', context: 'app', dockerfile: 'Dockerfile' }],
  ['docker: { build: { dockerfile: Prod } }', { type: 'build', context: '.', dockerfile: 'Prod' }],
  ['docker: {}', null],
  ['services: {}', null],
])('from %j the docker recipe builds %j', (text, source) => {
  expect(readRepositoryConfig(text, 'docker').source).toEqual(source)
})

test('the section of the other recipe is not looked at', () => {
  const nonsense = '{ deploy: 7, compose: [../x], whatever: { port: [1] } }'
  expect(readRepositoryConfig(`services: { web: }\nmanual: ${nonsense}`, 'docker').services).toHaveLength(1)
  expect(readRepositoryConfig(`manual: { deploy: [{ run: x }] }\ndocker: ${nonsense}`, 'manual').deploy).toHaveLength(1)
})

test('services keep the order of the file, and main: true chooses the main one', () => {
  const config = readRepositoryConfig('services:\n  web:\n  2: {}\n  1: { main: true }\n  a_b:', 'docker')
  expect(config.services.map(({ name, label, isMain }) => [name, label, isMain])).toEqual([
    ['web', 'web', false],
    ['2', '2', false],
    ['1', '1', true],
    ['a_b', 'a-b', false],
  ])
})

test('an action may run by a schedule', () => {
  const { actions: scheduled } = readRepositoryConfig(
    `actions:
  nightly: { run: ./report.sh, schedule: " 0 3  * * mon-fri", timezone: Europe/Berlin, environments: [production], catch_up: true }
  hourly: { run: x, schedule: "0 * * * *", environments: staging }
`,
    'docker',
  )
  expect(scheduled.map((action) => action.disabled === null && action.schedule)).toEqual([
    { cron: '0 3 * * mon-fri', timeZone: 'Europe/Berlin', environments: ['production'], catchesUp: true },
    { cron: '0 * * * *', timeZone: 'UTC', environments: ['staging'], catchesUp: false },
  ])
})

test('an action with result: file is disabled and says how to migrate, whatever else it holds', () => {
  const config = readRepositoryConfig('actions: { old: { command: x, result: file }, new: { run: y } }', 'docker')
  expect(config.actions.map(({ name, disabled }) => [name, disabled === null])).toEqual([
    ['old', false],
    ['new', true],
  ])
  expect(config.actions[0]?.disabled).toContain('artifacts: { paths: [...] }')
})

test('a byte order mark and Windows line ends are taken', () => {
  const text = '\uFEFFservices:\r\n  web:\r\n    port: 80\r\n'
  for (const content of [text, Buffer.from(text)]) {
    expect(readRepositoryConfig(content, 'docker').services[0]).toMatchObject({ name: 'web', port: 80 })
  }
})

test('a script of several lines is kept as it is written', () => {
  const text = 'manual:\n  deploy:\n    - run: |\n        echo a\n        echo "$HOME" > /etc/cron.d/x\n'
  expect(readRepositoryConfig(text, 'manual').deploy).toEqual([
    { name: 'echo a', run: 'echo a\necho "$HOME" > /etc/cron.d/x\n', timeoutMs: null },
  ])
})

const known = 'port, health, domain, main, sticky_sessions'
test.each([
  ['services:\n  web:\n    port: 1\n    prot: 2', '4:5: services.web.prot is not a known key; did you mean port?'],
  ['service:\n  web: {}', '1:1: service is not a known key; did you mean services?'],
  ['x: 1', '1:1: x is not a known key; known here: services, docker, manual, actions, pull_requests, deploy_after'],
  ['services: { web: { zzz: 1 } }', `1:20: services.web.zzz is not a known key; known here: ${known}`],
  ['docker: { biuld: . }', '1:11: docker.biuld is not a known key; did you mean build?'],
  ['docker: { build: { contxt: . } }', '1:20: docker.build.contxt is not a known key; did you mean context?'],
  ['actions: { a: { rum: x, run: y } }', '1:17: actions.a.rum is not a known key; did you mean run?'],
  ['services: { web: { port: 0 } }', '1:26: services.web.port: A port is a whole number from 1 to 65535'],
  ['services: { web: { port: 65536 } }', '1:26: services.web.port: A port is a whole number from 1 to 65535'],
  ['services: { web: { port: "80" } }', '1:26: services.web.port: A port is a whole number'],
  ['services: { web: { port: 80.5 } }', '1:26: services.web.port: A port is a whole number'],
  ['services: { web: { port: .inf } }', '1:26: services.web.port: A port is a whole number'],
  ['services: { web: { main: yes } }', '1:26: services.web.main: Give true or false'],
  ['services: { web: { health: [] } }', '1:28: services.web.health: Give a single value'],
  ['services:\n  web:\n    port:', '3:5: services.web.port: Give a single value'],
  ['services: { web: 80 }', `1:18: services.web: Give a map with ${known}`],
  ['services:', '1:1: services: Give a map of names'],
  ['services:\n  a_b: {}\n  a-b: {}', '3:3: services.a-b: In host names this is the same as a_b; rename one'],
  [
    'services:\n  a: { main: true }\n  b: { main: true }',
    '3:3: services.b: a is the main service already; keep one main: true',
  ],
  ['docker: { compose: [] }', '1:20: docker.compose: Name a compose file, or leave this out'],
  ['docker: { compose: . }', '1:20: docker.compose: Give the path of a file'],
  [
    'docker: { compose: a.yml, build: . }',
    '1:27: docker.build: Give either compose or build; the compose file says what to build',
  ],
  ['actions: { a: { service: db } }', '1:12: actions.a: Add run with the command'],
  ['actions: { a: { run: " " } }', '1:22: actions.a.run: Give a command to run'],
  ['actions: { a: { run: true } }', '1:22: actions.a.run: Give a text; put numbers, true and false in quotes'],
  ['actions: { a: { run: "a\\0b" } }', '1:22: actions.a.run: Leave out the NUL character and broken Unicode'],
  [
    'actions: { a: { run: x, schedule: 5 } }',
    '1:35: actions.a.schedule: Give a text; put numbers, true and false in quotes',
  ],
  [
    'actions: { a: { run: x, schedule: "0 25 * * *" } }',
    '1:35: actions.a.schedule: 25 is no hour. Give * or 0 to 23; with ranges (2-5), lists (1,4) and steps (*/2), from low to high',
  ],
  [
    'actions: { a: { run: x, schedule: "0 0 30 2 *" } }',
    '1:35: actions.a.schedule: It never comes due: no such day exists. Change the day or the month',
  ],
  [
    'actions: { a: { run: x, schedule: "* * * * *", timezone: Europe/Berlim } }',
    '1:58: actions.a.timezone: Give the name of a time zone, such as Europe/Berlin; did you mean Europe/Berlin?',
  ],
  [
    'actions: { a: { run: x, schedule: "* * * * *", environments: [pr-7] } }',
    '1:63: actions.a.environments[0]: Names such as pr-7 belong to pull requests; choose another',
  ],
  [
    'actions: { a: { run: x, schedule: "* * * * *", environments: [] } }',
    '1:62: actions.a.environments: Name an environment, or leave this out',
  ],
  [
    'actions: { a: { run: x, catch_up: true } }',
    '1:25: actions.a: Add schedule, such as "0 3 * * *": timezone, environments and catch_up say how it applies',
  ],
  ['actions: { a: { run: x, timeout: 10 } }', '1:34: actions.a.timeout: Give a duration such as 90s, 10m or 1h'],
  ['actions: { a: { run: x, artifacts: { paths: x } } }', '1:45: actions.a.artifacts.paths: Give a list'],
])('%j is refused: %s', (text, message) => {
  expect(faultOf(text).message).toBe(`.service.yml:${message}`)
})

test.each([
  ['services: {}', '1:1: The manual recipe needs a section manual with at least one step under deploy'],
  ['manual:', '1:1: manual: Give a map with deploy, destroy'],
  ['manual: {}', '1:1: manual: Add deploy with at least one step'],
  ['manual: { deploy: [] }', '1:19: manual.deploy: Add at least one step'],
  ['manual: { deploy: x }', '1:19: manual.deploy: Give a list'],
  ['manual: { deploy: [x] }', '1:20: manual.deploy[0]: Give a map with name, run, timeout'],
  ['manual: { deploy: [{ name: x }] }', '1:20: manual.deploy[0]: Add run with the command'],
  ['manual: { deploy: [{ run: x, name: "a\\nb" }] }', '1:36: manual.deploy[0].name: Use one line'],
  ['manual: { deploy: [{ run: x }], destry: [] }', '1:33: manual.destry is not a known key; did you mean destroy?'],
  ['manual: { deploy: [{ rnu: x }] }', '1:22: manual.deploy[0].rnu is not a known key; did you mean run?'],
  ['manual: { depoly: [{ run: x }] }', '1:11: manual.depoly is not a known key; did you mean deploy?'],
  ['manaul: { deploy: [{ run: x }] }', '1:1: manaul is not a known key; did you mean manual?'],
  [
    'manual: { depoly: [], destroy: 7 }',
    '1:11: manual.depoly is not a known key; did you mean deploy?\n.service.yml:1:32: manual.destroy: Give a list',
  ],
])('the manual recipe refuses %j: %s', (text, message) => {
  expect(faultOf(text, 'manual').message).toBe(`.service.yml:${message}`)
})

test('all faults are reported together, each with its position', () => {
  const text = 'services:\n  web: { prot: 1, port: x }\nactions:\n  A: { run: y }\n'
  expect(faultOf(text).faults.map(({ line, column, path }: FileFault) => [line, column, path])).toEqual([
    [2, 10, 'services.web.prot'],
    [2, 25, 'services.web.port'],
    [4, 3, 'actions.A'],
  ])
})

test('there are at most 20 services, 50 actions, and 64 KiB in a script', () => {
  const map = (count: number, value: string) =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${value}`).join(', ')} }`
  expect(readRepositoryConfig(`services: ${map(20, '{}')}`, 'docker').services).toHaveLength(20)
  expect(faultOf(`services: ${map(21, '{}')}`).message).toContain('At most 20 entries')
  expect(faultOf(`actions: ${map(51, '{ run: x }')}`).message).toContain('At most 50 entries')
  expect(faultOf(`actions: ${map(21, '{ run: x, schedule: "0 3 * * *" }')}`).message).toContain('At most 20 actions')
  expect(readRepositoryConfig(`actions: { a: { run: ${'x'.repeat(65_536)} } }`, 'docker').actions).toHaveLength(1)
  expect(faultOf(`actions: { a: { run: ${'x'.repeat(65_537)} } }`).message).toContain('at most 64 KiB')
})

function faultOf(content: string, recipe: Recipe = 'docker'): RepositoryConfigFault {
  try {
    readRepositoryConfig(content, recipe)
  } catch (error) {
    if (error instanceof RepositoryConfigFault) return error
    throw error
  }
  throw new Error('the file was taken')
}
