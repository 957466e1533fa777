import { describe, expect, test } from 'vitest'
import { hasCompose, resolve } from '../../../test/compose.ts'
import type { KnownVariables } from '../source/known-variables.ts'
import { checkBuildVariables } from './check-build-variables.ts'

const args = (value: unknown) => ({ context: '.', args: value })
const known = (
  custom: Readonly<Record<string, boolean>> | null,
  defaults: Readonly<Record<string, string>> = {},
): KnownVariables => ({
  custom: custom && new Map(Object.entries(custom).map(([key, isForBuilds]) => [key, { isForBuilds }])),
  defaults: new Map(Object.entries(defaults)),
  directory: '/checkout',
})
const secret = known({ TOKEN: false })
const checked = (build: unknown, variables = secret) => checkBuildVariables({ services: { web: { build } } }, variables)
const keysOf = (build: unknown) => checked(build).refusals.map(({ key }) => key)

/** TOKEN is a secret variable whose value is `canary`. */
const hasValue: readonly (readonly [build: unknown, key: string])[] = [
  [args({ A: '$TOKEN' }), 'args.A'],
  [args({ A: '${TOKEN}' }), 'args.A'],
  [args({ A: 'a-${TOKEN}-b' }), 'args.A'],
  [args({ A: '$$$TOKEN' }), 'args.A'],
  [args({ A: '${TOKEN?is missing}' }), 'args.A'],
  [args({ A: '${TOKEN:?is missing}' }), 'args.A'],
  [args({ A: '${SERVICE_DOMAIN:+$TOKEN}' }), 'args.A'],
  [args({ A: '${SERVICE_ENV_TYPE:-${SERVICE_ENV_BRANCH:-${TOKEN}}}' }), 'args.A'],
  [args({ TOKEN: null }), 'args.TOKEN'],
  [args(['TOKEN']), 'args[0]'],
  [args(['A=1', 'B=$TOKEN']), 'args[1]'],
  [{ context: '.', labels: { a: '$TOKEN' } }, 'labels.a'],
  [{ context: '.', labels: ['a=$TOKEN'] }, 'labels[0]'],
  [{ context: '.', dockerfile_inline: 'FROM scratch\nENV A=${TOKEN}\n' }, 'dockerfile_inline'],
  [{ context: '.', target: '$TOKEN' }, 'target'],
  [{ context: './${TOKEN}' }, 'context'],
  [{ context: '.', dockerfile: '${TOKEN}/Dockerfile' }, 'dockerfile'],
  [{ context: '.', additional_contexts: { a: './$TOKEN' } }, 'additional_contexts.a'],
  [{ context: '.', cache_from: ['a.test/b:$TOKEN'] }, 'cache_from[0]'],
  [{ context: '.', extra_hosts: ['$TOKEN:127.0.0.1'] }, 'extra_hosts[0]'],
]

/** The file has something for where the variable is not set. */
const hasDefault: readonly unknown[] = [
  args({ A: '${TOKEN-other}' }),
  args({ A: '${TOKEN:-other}' }),
  args({ A: '${TOKEN:+canary}' }),
  args({ A: '${TOKEN:-${TOKEN-other}}' }),
]

/** What Compose makes of it holds no value of a variable, but for the system's. */
const hasNone: readonly unknown[] = [
  args({ A: 'canary-yellow', B: 1, C: true, D: '' }),
  args({ A: '$$TOKEN', B: '$${TOKEN}', C: '$$$$TOKEN', D: 'TOKEN', E: 'a$' }),
  args({ A: '$SERVICE_DOMAIN', B: '${SERVICE_ENV_BRANCH:-$$TOKEN}', SERVICE_DOMAIN: null }),
  args(['A=1', 'TOKEN=', 'SERVICE_ENV_TYPE', 'B=${SERVICE_ENV_IDENTIFIER}']),
  args({ $TOKEN: 'x', '${TOKEN}': 'y' }),
  { context: '.', labels: ['TOKEN'], secrets: ['token', { source: 'TOKEN', target: 'TOKEN' }] },
  './TOKEN',
]

test.each(hasValue)('%j is refused at %s', (build, key) => {
  expect(keysOf(build)).toEqual([`services.web.build.${key}`])
  expect(checked(build).hidden).toEqual(['TOKEN'])
})

test.each(hasNone)('%j passes', (build) => {
  expect(checked(build)).toEqual({ refusals: [], notes: [], hidden: [] })
})

test.each(hasDefault)('%j passes, is built without the variable, and a note says so', (build) => {
  const { refusals, notes, hidden } = checked(build)
  expect([refusals, hidden]).toEqual([[], ['TOKEN']])
  expect(notes[0]?.sentence).toContain('is built with the default of TOKEN, not with the variable of the environment')
})

test.skipIf(!hasCompose)('Compose puts the value where it is refused, and nowhere that it passes', async () => {
  const inModel = async (builds: readonly unknown[], env: string): Promise<string[]> => {
    const services = Object.fromEntries(builds.map((build, index) => [`s${index}`, { build }]))
    const secrets = { token: { environment: 'TOKEN' }, TOKEN: { environment: 'TOKEN' } }
    const { text, refused } = await resolve({ 'compose.yml': { services, secrets }, env }, { envFile: 'env' })
    expect(refused).toBeNull()
    const model: { services: Record<string, { build: unknown }> } = JSON.parse(text)
    return builds.map((_, index) => JSON.stringify(model.services[`s${index}`]?.build))
  }
  const all = 'TOKEN=canary\nSERVICE_DOMAIN=a.test\n'
  for (const build of await inModel(
    hasValue.map(([build]) => build),
    all,
  ))
    expect(build).toMatch(/canary(?!-yellow)/)
  for (const build of await inModel(hasDefault, all)) expect(build).toContain('canary')
  for (const build of await inModel(hasNone, all)) expect(build).not.toMatch(/canary(?!-yellow)/)
  for (const build of await inModel([...hasNone, ...hasDefault], 'SERVICE_DOMAIN=a.test\n'))
    expect(build).not.toMatch(/canary(?!-yellow)/)
})

describe('a variable', () => {
  const uses = args(['TOKEN', 'A=$TOKEN', 'B=${TOKEN:?}'])

  test('that is marked for builds is handed to them', () => {
    expect(checked(uses, known({ TOKEN: true }))).toEqual({ refusals: [], notes: [], hidden: [] })
  })

  test('that the repository has a default for is handed to builds, unless the environment has a secret of that name', () => {
    expect(checked(uses, known({}, { TOKEN: 'x' })).refusals).toEqual([])
    expect(checked(uses, known({ TOKEN: false }, { TOKEN: 'x' })).refusals).toHaveLength(3)
  })

  test('that is not set is empty with a note, and refused if it is required', () => {
    const { refusals, notes, hidden } = checked(uses, known({}))
    expect(hidden).toEqual([])
    expect(notes.map(({ key }) => key)).toEqual(['services.web.build.args[1]'])
    expect(refusals.map(({ sentence }) => sentence)).toEqual([
      'services.web.build.args[2] needs the variable TOKEN, which is not set. Set it and mark it for builds: shipway vars set --build TOKEN=…',
    ])
  })

  test('that may be set gets a note', () => {
    const { refusals, notes } = checked(uses, known(null))
    expect([refusals.length, notes.length]).toEqual([0, 3])
  })
})

test('a repeated part, even inside itself, is checked at its first position', () => {
  const build = { args: { A: '$TOKEN' }, self: {} }
  build.self = build
  const { refusals } = checkBuildVariables({ services: { web: { build }, worker: { build } } }, secret)
  expect(refusals.map(({ key }) => key)).toEqual(['services.web.build.args.A'])
})

test('what a build secret is read from is checked too, and its value is not', () => {
  const secrets = {
    named: { environment: 'TOKEN' },
    a: { environment: '${TOKEN:-x}' },
    b: { file: './$TOKEN' },
    c: { file: './$SERVICE_ENV_TYPE' },
    d: { content: '$TOKEN' },
  }
  const { refusals } = checkBuildVariables({ secrets }, secret)
  expect(refusals.map(({ key }) => key)).toEqual(['secrets.b.file', 'secrets.a.environment'])
})

test('the sentence says how a secret gets into a build without a trace', () => {
  const [refusal] = checked(args({ NPM: '$NPM_TOKEN' }), known({ NPM_TOKEN: false })).refusals
  expect(refusal?.sentence).toBe(
    'services.web.build.args.NPM takes the variable NPM_TOKEN, but builds get no secret variables. Mark it for builds if it is no secret ' +
      '(shipway vars set --build NPM_TOKEN=…), write ${NPM_TOKEN:-default}, or pass it as a build secret: ' +
      'secrets: { npm_token: { environment: NPM_TOKEN } } in the file, secrets: [npm_token] in build, ' +
      'RUN --mount=type=secret,id=npm_token in the Dockerfile',
  )
})

test.each([
  undefined,
  null,
  'web',
  [1],
  { web: null },
  { web: { build: { args: null } } },
  { web: { image: '$TOKEN', environment: ['TOKEN'] } },
])('%j holds no build with a variable', (services) => {
  expect(checkBuildVariables({ services }, secret)).toEqual({ refusals: [], notes: [], hidden: [] })
})
