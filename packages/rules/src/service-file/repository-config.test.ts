import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  durationMs,
  isArtifactGlob,
  isServiceLabel,
  normaliseCheckoutPath,
  normaliseCustomDomain,
  RepositoryConfigFault,
  scriptName,
  serviceLabel,
} from './repository-config.ts'

test('an underscore and a dot become hyphens in the label of a service', () => {
  expect(serviceLabel('my_own-api_2')).toBe('my-own-api-2')
  expect(serviceLabel('laravel.test')).toBe('laravel-test')
})

test.each([
  ['api', true],
  ['a', true],
  ['a'.repeat(50), true],
  ['a'.repeat(51), false],
  ['api-', false],
  ['-api', false],
  ['', false],
])('whether %j is the label of a service: %s', (label, answer) => {
  expect(isServiceLabel(label)).toBe(answer)
})

test.each([
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h', 3_600_000],
  ['1h30m', 5_400_000],
  ['1h1m1s', 3_661_000],
  ['24h', 86_400_000],
  ['24h1s', undefined],
  ['0s', undefined],
  ['', undefined],
  ['10', undefined],
  ['-1m', undefined],
  ['1.5h', undefined],
  ['1m1h', undefined],
  [' 1m', undefined],
  ['1m\n', undefined],
  ['999999999s', undefined],
])('the duration %j takes %s milliseconds', (text, milliseconds) => {
  expect(durationMs(text)).toBe(milliseconds)
})

test.each([
  ['npm ci', 'npm ci'],
  ['\n\n  npm ci\nnpm test\n', 'npm ci'],
  ['npm ci\r\nnpm test', 'npm ci'],
  ['a\tb', 'a b'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['x'.repeat(61), `${'x'.repeat(59)}…`],
  ['😀'.repeat(61), `${'😀'.repeat(59)}…`],
])('a step that runs %j is called %j', (run, name) => {
  expect(scriptName(run)).toBe(name)
})

test.each([
  ['api.example.com', 'api.example.com'],
  ['API.Example.com', 'api.example.com'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['{env}.example.com', '{env}.example.com'],
  ['{env}-API.Example.com', '{env}-api.example.com'],
  ['api.{env}.münchen.de', 'api.{env}.xn--mnchen-3ya.de'],
])('the custom domain %s is kept as %s', (text, kept) => {
  expect(normaliseCustomDomain(text)).toBe(kept)
})

test.each([
  ['example.com', false],
  ['{env}{env}.example.com', true],
  ['{env}.{env}.example.com', true],
  ['{ENV}.example.com', true],
  ['{name}.example.com', true],
  ['{env}-ü.example.com', true],
  ['xn--{env}-mnchen-3ya.de', true],
  ['-{env}.example.com', true],
  ['{env}-.example.com', true],
  ['{env}', true],
  ['{env}.*.example.com', true],
  ['https://{env}.example.com', true],
])('whether %j is no custom domain: %s', (text, answer) => {
  expect(normaliseCustomDomain(text) === undefined).toBe(answer)
})

test.each([
  ['compose.yml', 'compose.yml'],
  ['./deploy//compose.yml', 'deploy/compose.yml'],
  ['.', '.'],
  ['./', '.'],
  ['a..b/c', 'a..b/c'],
  ['$(id)', '$(id)'],
  ['symlink-to-root/etc/passwd', 'symlink-to-root/etc/passwd'],
  ['./-f', undefined],
  ['./~', undefined],
  ['-f', undefined],
  ['~/x', undefined],
  ['a\\..\\b', undefined],
  ['a\nb', undefined],
  ['', undefined],
  ['x'.repeat(501), undefined],
  ['a/%2E./b', undefined],
])('the path %j is kept as %j', (text, kept) => {
  expect(normaliseCheckoutPath(text)).toBe(kept)
})

test('no accepted path leaves the checkout', () => {
  const part = fc.constantFrom('.', '..', '/', '-', '~', 'a', '%2e', '\\', '\0', ' ')
  fc.assert(
    fc.property(fc.string({ unit: part, maxLength: 12 }), (text) => {
      const path = normaliseCheckoutPath(text)
      if (path === undefined) return
      expect(path).toMatch(/^[^/~-]/)
      expect(path.split('/')).not.toContain('..')
      expect(path).not.toContain('\0')
      expect(normaliseCheckoutPath(path)).toBe(path)
    }),
    { numRuns: 2000 },
  )
})

test.each(['dump*.sql', 'reports/**', '**/*.log', 'out/{a,b}', 'a?[0-9].txt', '.cache/x', '${7*7}'])(
  '%j is a pattern of artifacts',
  (glob) => expect(isArtifactGlob(glob)).toBe(true),
)

test.each([
  '../../etc/passwd',
  '**/../../.env',
  '$(id)',
  '--checkpoint-action=exec=sh x',
  '!(x)',
  '!secret',
  '+(a|aa)',
  '(a+)+',
  '',
  '*/'.repeat(500),
  '{a,b}'.repeat(40),
  '**/**/**/**/**/**/**/*',
  '*'.repeat(21),
  '/proc/self/environ',
  '~/x',
  'a\0b',
  'a\nb',
  'a\\b',
  'reports/',
])('%j is no pattern of artifacts', (glob) => {
  expect(isArtifactGlob(glob)).toBe(false)
})

test('a fault names the first fifty places in the order of the file, and how many more there are', () => {
  const faults = Array.from({ length: 52 }, (_, index) => ({
    line: 52 - index,
    column: 3,
    path: 'a',
    sentence: 'a: x',
  }))
  const fault = new RepositoryConfigFault(faults)
  expect(fault.faults.map(({ line }) => line)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  expect(fault.message.split('\n').at(0)).toBe('.service.yml:1:3: a: x')
  expect(fault.message.split('\n').at(-1)).toBe('and 2 more')
})
