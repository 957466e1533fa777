import { expect, test } from 'vitest'
import { codeOf } from './rule.ts'
import { reservedFor, VARIABLE_LIMITS, VariableKey, VariableValue, VariableValues } from './variable.ts'

test.each(['A', '_', 'a1', 'DATABASE_URL', 'constructor', 'A'.repeat(128)])('%s is a key', (key) => {
  expect(VariableKey.parse(key)).toBe(key)
})

const keys = [
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
]
const badKeys = [...keys, '#A', ' A', 'A ', 'A\n', '1A', 'Ä', 'A'.repeat(129)]
test.each(badKeys)('%j is no key', (key) => {
  expect(VariableKey.safeParse(key).error?.issues.map(codeOf)).toEqual(['invalid_key'])
})

test.each(badKeys)('a bad key %j among good ones is named', (key) => {
  const input: unknown = JSON.parse(`{"GOOD": "1", ${JSON.stringify(key)}: "2"}`)
  const { error } = VariableValues.safeParse(input)
  expect(error?.issues.map((issue) => [codeOf(issue), issue.path])).toEqual([['invalid_key', [key]]])
})

test('good keys with their values pass unchanged', () => {
  const input: unknown = JSON.parse('{"A": "", "constructor": "x"}')
  expect(Object.entries(VariableValues.parse(input))).toEqual([
    ['A', ''],
    ['constructor', 'x'],
  ])
})

test.each([[[]], [null], ['text'], [{ A: 1 }], [{ A: null }]])('%j is no set of values', (input) => {
  expect(VariableValues.safeParse(input).success).toBe(false)
})

const quoting = [
  'pa$$word',
  '$' + '{HOME}',
  'abc#de',
  'abc #de',
  "it's",
  "a\\'b",
  "'",
  '"',
  '\\$x',
  '%{env}',
  '!history',
]
const lines = ['l1\nl2', 'x\nSERVICE_DOMAIN=evil.example', 'a\tb', '  lead trail  ', '', 'a\u2028b', '\u001b[2J']
const others = ['{"a":{"b":"c\'d"}}', '100%', 'a=b=c', 'export X=1', 'z'.repeat(VARIABLE_LIMITS.valueBytes)]
test.each([...quoting, ...lines, ...others])('the value %j is kept as it is', (value) => {
  expect(VariableValue.parse(value)).toBe(value)
})

test.each([
  ['z'.repeat(70_000), 'too_long'],
  ['é'.repeat(VARIABLE_LIMITS.valueBytes / 2 + 1), 'too_long'],
  ['a\0b', 'invalid_value'],
  ['\ud800', 'invalid_value'],
])('a value is refused (%#)', (value, code) => {
  expect(VariableValue.safeParse(value).error?.issues.map(codeOf)).toEqual([code])
})

const platform = [
  'SERVICE_DOMAIN',
  'SERVICE_ENV_BRANCH',
  'SERVICE_',
  'COMPOSE_FILE',
  'DOCKER_HOST',
  'DOCKER_CONFIG',
  'DOCKER_CLI_HINTS',
  'BUILDKIT_HOST',
]
test.each(platform)('%s is reserved for every recipe', (key) => {
  expect([reservedFor(key, 'docker'), reservedFor(key, 'manual')]).toEqual([true, true])
})

const shell = [
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'IFS',
  'ENV',
  'BASH_ENV',
  'LD_PRELOAD',
  'GIT_SSH_COMMAND',
  'SSH_AUTH_SOCK',
]
test.each(shell)('%s is reserved for the manual recipe only', (key) => {
  expect([reservedFor(key, 'docker'), reservedFor(key, 'manual')]).toEqual([false, true])
})

test.each([
  'DOCKER_USER',
  'DOCKER_IMAGE_TAG',
  'PATHS',
  'MY_PATH',
  'SERVICE',
  'GIT',
  'NODE_OPTIONS',
  'PS4',
  'service_domain',
])('%s is free', (key) => {
  expect([reservedFor(key, 'docker'), reservedFor(key, 'manual')]).toEqual([false, false])
})
