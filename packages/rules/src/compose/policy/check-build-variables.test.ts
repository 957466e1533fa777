import { expect, test } from 'vitest'
import { hasCompose, resolve } from '../../../test/compose.ts'
import { checkBuildVariables } from './check-build-variables.ts'

const args = (value: unknown) => ({ context: '.', args: value })
const keysOf = (build: unknown) => checkBuildVariables({ services: { web: { build } } }).map(({ key }) => key)

/** TOKEN is a variable whose value is `canary`. */
const hasValue: readonly (readonly [build: unknown, key: string])[] = [
  [args({ A: '$TOKEN' }), 'args.A'],
  [args({ A: '${TOKEN}' }), 'args.A'],
  [args({ A: 'a-${TOKEN}-b' }), 'args.A'],
  [args({ A: '$$$TOKEN' }), 'args.A'],
  [args({ A: '${TOKEN-other}' }), 'args.A'],
  [args({ A: '${TOKEN:-other}' }), 'args.A'],
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
})

test.each(hasNone)('%j passes', (build) => {
  expect(keysOf(build)).toEqual([])
})

test.skipIf(!hasCompose)('Compose puts the value where it is refused, and nowhere that it passes', async () => {
  const inModel = async (builds: readonly unknown[]): Promise<string[]> => {
    const services = Object.fromEntries(builds.map((build, index) => [`s${index}`, { build }]))
    const secrets = { token: { environment: 'TOKEN' }, TOKEN: { environment: 'TOKEN' } }
    const { text, refused } = await resolve(
      { 'compose.yml': { services, secrets }, env: 'TOKEN=canary\nSERVICE_DOMAIN=a.test\n' },
      { envFile: 'env' },
    )
    expect(refused).toBeNull()
    const model: { services: Record<string, { build: unknown }> } = JSON.parse(text)
    return builds.map((_, index) => JSON.stringify(model.services[`s${index}`]?.build))
  }
  for (const build of await inModel(hasValue.map(([build]) => build))) expect(build).toMatch(/canary(?!-yellow)/)
  for (const build of await inModel(hasNone)) expect(build).not.toMatch(/canary(?!-yellow)/)
})

test.each([
  ['a build that is only a folder', './${TOKEN}', ['services.web.build']],
  ['a variable that only decides', args({ A: '${TOKEN:+yes}' }), ['services.web.build.args.A']],
  ['a variable that is like one of the system', args(['SERVICE_X']), ['services.web.build.args[0]']],
  ['each of several', args({ A: '$B', C: null }), ['services.web.build.args.A', 'services.web.build.args.C']],
])('%s is refused', (_, build, keys) => {
  expect(keysOf(build)).toEqual(keys)
})

test('a part that stands in several places, even within itself, is judged where it stands first', () => {
  const build = { args: { A: '$TOKEN' }, self: {} }
  build.self = build
  const keys = checkBuildVariables({ services: { web: { build }, worker: { build } } }).map(({ key }) => key)
  expect(keys).toEqual(['services.web.build.args.A'])
})

test('what a build secret is read from is judged too, and its value is not', () => {
  const secrets = {
    named: { environment: 'TOKEN' },
    ...{
      a: { environment: '${TOKEN}' },
      b: { file: './$TOKEN' },
      c: { file: './$SERVICE_ENV_TYPE' },
      d: { content: '$TOKEN' },
    },
  }
  expect(checkBuildVariables({ secrets }).map(({ key }) => key)).toEqual(['secrets.b.file', 'secrets.a.environment'])
})

test('the sentence says how a secret gets into a build without a trace', () => {
  const [refusal] = checkBuildVariables({ services: { web: { build: args({ NPM: '$NPM_TOKEN' }) } } })
  expect(refusal).toEqual({
    key: 'services.web.build.args.NPM',
    sentence:
      'services.web.build.args.NPM takes the variable NPM_TOKEN, but images are built without variables. Write the value itself, ' +
      'or pass a secret one as a build secret: secrets: { npm_token: { environment: NPM_TOKEN } } in the file, ' +
      'secrets: [npm_token] in build, RUN --mount=type=secret,id=npm_token in the Dockerfile',
    capability: null,
  })
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
  expect(checkBuildVariables({ services })).toEqual([])
})
