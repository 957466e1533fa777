// Keys and values of variables: refused by the name of the key, or handed to containers and shells byte for byte and shown nowhere.
import { createHash } from 'node:crypto'
import { ask } from '../ask.ts'
import { serviceThatRuns } from '../cli/service-file.ts'
import { until } from '../journey.ts'
import type { Deployments } from './deployments.ts'
import { must } from './must.ts'
import { numbered, scenarios, table } from './table.ts'
import type { World } from './world.ts'

const keys = numbered(
  'var-key',
  [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 18, 20, 21, 22],
  [
    'A=B',
    'A B',
    'A\nB',
    'A;id',
    '$(id)',
    '`id`',
    "A'B",
    '',
    'a-b',
    'a.b',
    'PATH\0',
    '=x',
    '__proto__',
    'A\r',
    '#A',
    ' A',
    'A ',
  ],
)

const ofThePlatform = numbered(
  'var-reserved',
  [1, 2, 3, 4, 7, 8, 10, 11, 12, 13, 15],
  [
    ...['SERVICE_DOMAIN', 'SERVICE_ENV_IDENTIFIER', 'SERVICE_ENV_TYPE', 'SERVICE_ENV_BRANCH'],
    ...['COMPOSE_FILE', 'COMPOSE_PROFILES', 'COMPOSE_ENV_FILES', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG'],
    'BUILDKIT_HOST',
  ],
)

/** Containers get them. A shell of the server would obey them. */
const ofShells = numbered(
  'var-reserved',
  [17, 19, 20, 21, 23, 24, 25, 26],
  [
    'ENV',
    'LD_LIBRARY_PATH',
    'PATH',
    'IFS',
    'GIT_SSH_COMMAND',
    'GIT_EXEC_PATH',
    'GIT_CONFIG_COUNT',
    'GIT_ALLOW_PROTOCOL',
  ],
)

/** The platform's own commands run without them. */
const ofPrograms = numbered('var-reserved', [22, 27, 28], ['PS4', 'NODE_OPTIONS', 'PYTHONSTARTUP'])

const values = numbered(
  'var-value',
  [1, 2, 5, 6, 7, 11, 12, 13, 14, 15, 18, 19, 20, 23, 24, 25, 26, 27, 28, 33, 34],
  [
    ...['pa$$word', '${HOME}', 'abc#de', 'abc #de', "it's", "a\\'b", "'", '"', 'l1\nl2'],
    ...['x\nSERVICE_DOMAIN=evil.example', 'a\tb', '  lead trail  ', '', '{"a":{"b":"c\'d"}}', '100%', 'a=b=c'],
    ...['export X=1', '\\$x', 'a\u2028b', '%{env}', '!history'],
  ],
)

export const variableTables = [
  ...table({
    surface: 'keys of variables',
    rows: keys,
    holds: async (world: World, key: string) => {
      const { call, environmentId } = await world.guarded()
      const path = `/api/environments/${environmentId}/variables`
      const before = (await call('GET', path)).text
      // Written by hand, so that a name such as __proto__ arrives as one.
      const answer = await call('PATCH', path, { body: `{"set": {"GOOD": "1", ${JSON.stringify(key)}: "2"}}` })
      const [fault, ...others] = answer.body?.errors ?? []
      must(answer.status === 422 && others.length === 0, answer.text)
      must(fault.pointer === `/set/${key}` && fault.code === 'invalid_key', fault)
      must(!Object.hasOwn(Object.prototype, 'GOOD'), 'a polluted prototype')
      must((await call('GET', path)).text === before, 'a change')
    },
  }),
  ...table({
    surface: 'keys of the platform',
    rows: ofThePlatform,
    holds: async (world: World, key: string) => {
      const { call, environmentId } = await world.guarded()
      const path = `/api/environments/${environmentId}/variables`
      const before = (await call('GET', path)).text
      const answer = await call('PATCH', path, { body: { set: { GOOD: '1', [key]: '2' } } })
      const [fault] = answer.body?.errors ?? []
      must(answer.status === 422 && fault?.code === 'reserved_key' && fault.pointer === `/set/${key}`, answer.text)
      must((await call('GET', path)).text === before, 'a change')
    },
  }),
  ...table({
    surface: 'keys that shells and programs obey',
    rows: [...ofShells, ...ofPrograms],
    holds: async (world: World, key: string) => {
      const docker = await world.guarded()
      const set = { [key]: world.canary }
      const path = `/api/environments/${docker.environmentId}/variables`
      const taken = await docker.call('PATCH', path, { body: { set } })
      must(taken.status === 200, taken.text)
      await docker.call('PATCH', path, { body: { unset: [key] } })
      const { journey, environmentId: id, deploy } = await world.manual()
      const changed = await journey.client.changeVariables({ params: { id }, body: { set } }).catch((error) => error)
      if (ofShells.some(([, name]) => name === key)) return must(changed.status === 422, changed)
      try {
        const {
          status,
          failed_step: failedStep,
          log,
        } = await deploy({
          '.service.yml': serviceThatRuns('test -n "$(env | grep canary)" && echo the application has it'),
        })
        must(status === 'succeeded' && log.includes('the application has it'), { status, failedStep, log })
      } finally {
        await journey.client.changeVariables({ params: { id }, body: { unset: [key] } })
      }
    },
  }),
  ...table({
    surface: 'values of variables',
    rows: values,
    holds: async (world: World, value: string) => {
      const name = keyOf(value)
      const { container, own } = await inContainer(await world.docker())
      must(container[name] === digestOf(value), container[name])
      must(own === 'main.hello.localhost', own)
      const inShell = await inShellOf(await world.manual())
      must(inShell.includes(`${name}=${digestOf(value)}`), inShell)
    },
  }),
  ...table({
    surface: 'values of variables',
    rows: numbered('var-value', [30], ['z'.repeat(70_000)]),
    holds: async (world: World, value: string) => {
      const { call, environmentId } = await world.guarded()
      const path = `/api/environments/${environmentId}/variables`
      const answer = await call('PATCH', path, { body: { set: { A: value } } })
      must([413, 422].includes(answer.status) && !answer.text.includes('zzzz'), answer.text)
    },
  }),
  ...scenarios('what answers tell of values', {
    'var-oracle-004': async (world) => {
      const { call, client, project, next } = await world.guarded()
      const answers = []
      for (const second of ['a guess', 'another']) {
        const body = { name: `oracle-${next()}`, branch: 'main' }
        const { id } = await client.createEnvironment({ params: { id: project.id }, body })
        const path = `/api/environments/${id}/variables`
        await call('PATCH', path, { body: { set: { A: 'a guess' } } })
        const changed = await call('PATCH', path, { body: { set: { A: second } } })
        const shown = await call('GET', path)
        answers.push(withoutTimes([changed.body, changed.headers.etag, shown.body, shown.headers.etag], id))
      }
      must(answers[0] === answers[1], answers)
    },
    'var-oracle-005': async (world) => {
      const { call, environmentId } = await world.guarded()
      const path = `/api/environments/${environmentId}/variables`
      const value = 'canary-of-the-value'
      const bodies = [
        { set: { A: `${value}\0` } },
        { set: { SERVICE_DOMAIN: value } },
        { set: { A: value }, unset: ['A'] },
        { set: { A: { nested: value } } },
        { set: value },
        `{"set": {"A": "${value}`,
      ]
      for (const body of bodies) {
        const answer = await call('PATCH', path, { body })
        must([400, 422].includes(answer.status) && !answer.text.includes('canary-of'), answer.text)
      }
    },
  }),
]

const withoutTimes = (bodies: unknown, id: number): string =>
  JSON.stringify(bodies)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(`"environment_id":${id}`, '')

const keyOf = (value: string): string => `KEY_${values.findIndex(([, each]) => each === value)}`
const digestOf = (value: string): string => createHash('sha256').update(value).digest('hex')
const all = Object.fromEntries(values.map(([, value]) => [keyOf(value), value]))

const containerFiles = {
  '.service.yml': 'services: { web: { port: 3000 } }\ndocker: { compose: compose.yml }\n',
  'compose.yml': 'services: { web: { build: . } }\n',
  Dockerfile: 'FROM shipway-test/node\nCOPY server.js /server.js\nCMD ["node", "/server.js"]\n',
  'server.js': `
const { createHash } = require('node:crypto')
const digests = Object.entries(process.env).map(([key, value]) => [key, createHash('sha256').update(value).digest('hex')])
const answer = JSON.stringify({ container: Object.fromEntries(digests), own: process.env.SERVICE_DOMAIN })
require('node:http').createServer((req, res) => res.end(answer)).listen(3000)
process.on('SIGTERM', () => process.exit(0))
`,
}

type Seen = { readonly container: Readonly<Record<string, string>>; readonly own: string }

/** One deployment has all values. */
const inContainer = oncePer(async ({ journey, environmentId: id, deploy }): Promise<Seen> => {
  await journey.client.changeVariables({ params: { id }, body: { set: all } })
  const { status, failed_step: failedStep } = await deploy(containerFiles)
  must(status === 'succeeded', { status, failedStep })
  return until(async () => {
    const { status: code, text } = await ask(journey.servingPort, 'main.hello.localhost')
    return code === 200 ? JSON.parse(text) : undefined
  }, 'the container answers')
})

/** In the shell of a manual deployment. */
const inShellOf = oncePer(async ({ journey, environmentId: id, deploy }): Promise<readonly string[]> => {
  await journey.client.changeVariables({ params: { id }, body: { set: all } })
  const lines = Object.keys(all).map((key) => `echo "${key}=$(printf %s "$${key}" | sha256sum | cut -c 1-64)"`)
  const { status, failed_step: failedStep, log } = await deploy({ '.service.yml': serviceThatRuns(lines.join('; ')) })
  must(status === 'succeeded', { status, failedStep })
  await journey.client.changeVariables({ params: { id }, body: { unset: Object.keys(all) } })
  return log.split('\n')
})

function oncePer<Result>(find: (deployments: Deployments) => Promise<Result>) {
  const found = new WeakMap<Deployments, Promise<Result>>()
  return (deployments: Deployments): Promise<Result> => {
    const result = found.get(deployments) ?? find(deployments)
    found.set(deployments, result)
    return result
  }
}
