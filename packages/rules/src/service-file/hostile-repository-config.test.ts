import type { Recipe } from '@shipway/api/values/recipe'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRepositoryConfig } from './read-repository-config.ts'
import { RepositoryConfigFault } from './repository-config.ts'

const markup = [
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  'javascript:alert(1)',
  '<a href="javascript:alert(1)">x</a>',
  '${7*7}',
  "<iframe srcdoc='<script>alert(1)</script>'>",
]
const names = ['$(touch $CANARY)', 'svc`id`', 'svc; rm -rf /', '../x', 'a b', 'A'.repeat(100), '__proto__']
const moreNames = ['constructor', 'toString', 'hasOwnProperty', 'a\nb', '', '-a', '.', 'ünder']

test.each([...markup, ...names, ...moreNames])('%j is not a service name or an action', (name) => {
  expect(faultsOf({ services: entry(name, {}) })).toEqual([pathOf('services', name)])
  expect(faultsOf({ actions: entry(name, { run: 'x' }) })).toEqual([pathOf('actions', name)])
})

test.each([...names, ...moreNames])('%j is an unknown key wherever keys are known', (key) => {
  expect(faultsOf(entry(key, {}))).toEqual([pathOf('', key)])
  expect(faultsOf({ services: { web: entry(key, 1) } })).toEqual([pathOf('services.web', key)])
  expect(faultsOf({ docker: { build: entry(key, 'x') } })).toEqual([pathOf('docker.build', key)])
})

test.each(markup)('an action has no title such as %j', (title) => {
  expect(faultsOf({ actions: { a: { run: 'x', title } } })).toEqual(['actions.a.title'])
})

test.each([
  '/Dockerfile; echo pwned',
  '/Dockerfile`whoami`',
  '/Dockerfile$(whoami)',
  '/Dockerfile | cat /etc/passwd',
  '../../../etc/passwd',
  '/../../../etc/passwd',
  '/etc/passwd',
  'a/../../b',
  '%2e%2e/%2e%2e/etc',
  'a\0b',
  '--file=x',
])('the path %j is refused wherever a path stands', (path) => {
  expect(faultsOf({ docker: { compose: path } })).toEqual(['docker.compose'])
  expect(faultsOf({ docker: { compose: ['a', path] } })).toEqual(['docker.compose[1]'])
  expect(faultsOf({ docker: { build: path } })).toEqual(['docker.build'])
  expect(faultsOf({ docker: { build: { context: path, dockerfile: path } } })).toEqual([
    'docker.build.context',
    'docker.build.dockerfile',
  ])
})

test.each([
  'example.com`) || PathPrefix(`/',
  'example.com;return 301 http://evil',
  'http://$(whoami).example.com',
  'http://example.com/$(whoami)',
  'http://`whoami`.example.com',
  '*.example.com',
  '[::1]',
  'example..com',
  'example-.com',
  `${'a'.repeat(64)}.com`,
  'a.'.repeat(130),
  ' example.com',
  'EXAMPLE.com.',
  'user@example.com',
  'https://example.com',
  'ftp://example.com',
  '%65xample.com',
  'example.com\0.evil',
])('%j is no domain of a service, with {env} or without', (domain) => {
  expect(faultsOf({ services: { web: { domain } } })).toEqual(['services.web.domain'])
  expect(faultsOf({ services: { web: { domain: `{env}.${domain}` } } })).toEqual(['services.web.domain'])
})

test.each(['http://x/', '//evil.example', 'healthz', '/a b', '/\r\nHost: x', '/a#b', '', '/é', '/\\evil'])(
  '%j is no health path',
  (health) => expect(faultsOf({ services: { web: { health } } })).toEqual(['services.web.health']),
)

test.each(['echo hello\necho injected', "x'; docker run -v /:/h alpine #", '> /etc/cron.d/x', '; touch /host-canary'])(
  'the script %j is kept as it is, for the shell of the environment alone',
  (run) => {
    expect(readRepositoryConfig(JSON.stringify({ actions: { a: { run } } }), 'docker').actions[0]).toMatchObject({
      run,
    })
  },
)

test.each(['../../etc/passwd', '**/../../.env', '$(id)', '!(x)', '', '*/'.repeat(500), '{a,b}'.repeat(40)])(
  'the artifact pattern %j is refused',
  (glob) => {
    expect(faultsOf({ actions: { a: { run: 'x', artifacts: { paths: ['ok', glob] } } } })).toEqual([
      'actions.a.artifacts.paths[1]',
    ])
  },
)

test.each(['services: [1,2]', 'actions: null', 'docker: []', 'services: { web: [] }', '- just\n- a list'])(
  '%j is refused for its type',
  (text) => expect(() => readRepositoryConfig(text, 'docker')).toThrow(RepositoryConfigFault),
)

test('nothing in a file reaches a prototype', () => {
  const text = '{ "__proto__": { "polluted": 1 }, "constructor": { "prototype": { "polluted": 1 } } }'
  expect(() => readRepositoryConfig(text, 'docker')).toThrow(RepositoryConfigFault)
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('no key writes a line or a control sequence of its own into the message', () => {
  const text = '"x\\n.service.yml:1:1: all is well\\e[0m\\x9b\\u202e": 1'
  const message = faultOf(text, 'docker')?.message
  expect(message).toContain('"x\\n.service.yml:1:1: all is well\\u001b[0m\\u{9b}\\u{202e}" is not a known key')
  expect(message).not.toMatch(/\p{C}/u)
})

test('a syntax error does not repeat a long line', () => {
  expect(faultOf(`a: b\n${'%@`'.repeat(10_000)}\n"`, 'docker')?.message.length).toBeLessThan(3000)
})

test('any bytes give a configuration or a fault with places in the file', () => {
  const fragments = [
    'services:',
    'web',
    ': ',
    '\n',
    '  ',
    '- ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    "'",
    '|',
    '>',
    '&a',
    '*a',
  ]
  const others = [
    '!!str',
    '<<',
    '? ',
    '#',
    '---',
    '...',
    '%YAML 1.2',
    '\t',
    '\r',
    'run',
    'manual',
    'deploy',
    '1',
    '\\',
    '~',
  ]
  const yaml = fc.string({ unit: fc.constantFrom(...fragments, ...others), maxLength: 60 })
  const content = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'binary' }), fc.json(), yaml)
  fc.assert(
    fc.property(content, fc.constantFrom('docker', 'manual'), (content, recipe) => {
      const lines = Buffer.from(content).toString().split('\n').length
      for (const { line, column, sentence } of faultOf(content, recipe)?.faults ?? []) {
        expect(line).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(lines)
        expect(column).toBeGreaterThanOrEqual(1)
        expect(sentence).not.toBe('')
      }
    }),
    { numRuns: Number(process.env.CONTENTS ?? 750) },
  )
})

/** A literal with a key `__proto__` would set the prototype; an entry is a key like any other. */
function entry(key: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries([[key, value]])
}

function pathOf(parent: string, key: string): string {
  const shown = /^[\w-]{1,63}$/.test(key) ? key : JSON.stringify(key.length > 63 ? `${key.slice(0, 60)}…` : key)
  return parent === '' ? shown : `${parent}.${shown}`
}

/** The paths at fault. JSON is YAML. */
function faultsOf(file: unknown): string[] {
  return faultOf(JSON.stringify(file), 'docker')?.faults.map(({ path }) => path) ?? []
}

function faultOf(content: string | Uint8Array, recipe: Recipe): RepositoryConfigFault | undefined {
  try {
    readRepositoryConfig(content, recipe)
    return undefined
  } catch (error) {
    if (error instanceof RepositoryConfigFault) return error
    throw error
  }
}
