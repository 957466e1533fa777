import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../../test/docker/docker-engine.ts'
import { Secret } from './secret.ts'
import { renderVariableFile } from './variable-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-variable-file-'))
const file = join(folder, 'variables.env')
const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder, LANG: 'C.UTF-8' }
const most = { maxBuffer: 256 * 1024 * 1024, encoding: 'utf8' as const, cwd: folder, env: environment }

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What people set, and what has a meaning to one of the readers. */
const known = [
  ...['', ' ', '  lead trail  ', '\t', 'a\tb', '\n', 'l1\nl2', '\r', 'a\r\nb', 'trailing\n', '\nleading', '\r\n'],
  ...["it's", "'", '"', '`', '``', '`id`', "`'", '`"', "'`'", '\\`', "\\'", "a\\'b", '"`\'\\$', "it's `id` $(id)\\"],
  ...['\\', '\\\\', '\\\\\\', 'back\\', "q'\\", '\\n', '\\0101', '\\x41', '\\$x', '\\"', "\\\\'", '`\\', '`\\\\'],
  ...['$', '$$', 'pa$$word', '${HOME}', '$HOME', '$(id)', '${', '}', '${x:-y}', "'${HOME}", "'$$", "`'${HOME}}`"],
  ...['#', 'abc#de', 'abc #de', '# a', "' #", '!history', '!!', '*', '?', '~', '[a]', '{a,b}', '100%', '%{env}', '%s'],
  ...['a=b=c', 'export X=1', 'x\nSERVICE_DOMAIN=evil.example', 'K0=x', ';id', '&', '|', '<', '>', '(', ')'],
  ...['{"a":{"b":"c\'d"}}', '😀', 'ünïcödé', 'a\u2028b', '\ufeffbom', '\u0085', '\u00a0', '\u0001\u001b[31m\u007f'],
  ...["${SERVICE_BACKTICK}'`", '-----BEGIN KEY-----\nabc\n-----END KEY-----\n', 'z'.repeat(64 * 1024)],
  ...['\'`\\$"\n'.repeat(10_000)],
]

const sharp = [
  "'",
  '"',
  '\\',
  '`',
  '$',
  '{',
  '}',
  '#',
  ' ',
  '\n',
  '\r',
  '\t',
  'a',
  'n',
  '0',
  '=',
  '!',
  '😀',
  'é',
  '(',
  ')',
]
const drawn = fc.sample(
  fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.constantFrom(...sharp), { maxLength: 12 }).map((parts) => parts.join('')) },
    fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\0', '')),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
  ),
  { numRuns: Number(process.env.VALUES ?? 4000), seed: 5 },
)
const values = [...known, ...drawn]
const keys = values.map((_, index) => `K${index}`)

beforeAll(() => {
  const variables = new Map<string, Secret | string>(values.map((value, index) => [`K${index}`, new Secret(value)]))
  writeFileSync(file, renderVariableFile(variables.set('SERVICE_DOMAIN', 'shop.example.com')).reveal())
})

describe.each(['dash', 'bash', 'bash --posix'])('%s', (shell) => {
  test('reads every value as it was set', () => {
    const [program = '', ...words] = shell.split(' ')
    const script = 'set -eu; . ./variables.env; for key in "$@"; do eval "printf \'%s\\\\0\' \\"\\$$key\\""; done'
    const read = execFileSync(program, [...words, '-c', script, 'read', ...keys, 'SERVICE_DOMAIN'], most).split('\0')
    expectSame(read.slice(0, -1))
  })
})

describe.skipIf(!hasDocker)('Docker Compose', () => {
  const readAt = (compose: string, ...words: string[]): Readonly<Record<string, string>> => {
    writeFileSync(join(folder, 'compose.json'), compose)
    const text = execFileSync('docker', ['compose', '-f', 'compose.json', ...words, 'config', '--format', 'json'], most)
    return JSON.parse(text).services.web.environment
  }
  // The printed model is a compose file again, in which a dollar is written twice.
  const inOrder = (read: Readonly<Record<string, string>>): string[] =>
    [...keys, 'SERVICE_DOMAIN'].map((key) => read[key]?.replaceAll('$$', '$') ?? 'absent')

  test('reads every value as it was set, for a service', () => {
    const compose = JSON.stringify({ services: { web: { image: 'web', env_file: ['variables.env'] } } })
    expectSame(inOrder(readAt(compose)))
  })

  test('reads every value as it was set, for the compose file', () => {
    const compose = JSON.stringify({ services: { web: { image: 'web', environment: [...keys, 'SERVICE_DOMAIN'] } } })
    expectSame(inOrder(readAt(compose, '--env-file', 'variables.env')))
  })

  test('reads every value as it was set when the file serves both', () => {
    const compose = JSON.stringify({ services: { web: { image: 'web', env_file: ['variables.env'] } } })
    expectSame(inOrder(readAt(compose, '--env-file', 'variables.env')))
  })
})

test('a text that is no key, or no value, is refused', () => {
  for (const key of ['', 'A=B', 'A B', 'A\nB', '1A', 'A-B', 'A;id'])
    expect(() => renderVariableFile(new Map([[key, 'x']]))).toThrow('is not a key of a variable')
  for (const value of ['a\0b', '\ud800'])
    expect(() => renderVariableFile(new Map([['K', value]]))).toThrow('The value of K cannot stand in a file')
})

test('the helper for backticks is written only where a value needs it', () => {
  const text = (value: string): string => renderVariableFile(new Map([['K', value]])).reveal()
  expect(text('plain `id`')).toBe("K='plain `id`'\n")
  expect(text("it's `id`")).toBe("SERVICE_BACKTICK='`'\nK=\"it's ${SERVICE_BACKTICK}id${SERVICE_BACKTICK}\"\n")
})

test('backslashes within a value take a time that grows with their number alone', () => {
  const value = `${'\\'.repeat(65_535)}x`
  expect(renderVariableFile(new Map([['K', value]])).reveal()).toBe(`K='${value}'\n`)
})

test('a rendered file is a secret', () => {
  expect(String(renderVariableFile(new Map([['K', 'value']])))).toBe('[hidden]')
})

function expectSame(read: readonly string[]): void {
  const expected = [...values, 'shop.example.com']
  const different = expected.flatMap((value, index) => (read[index] === value ? [] : [{ value, read: read[index] }]))
  expect(different.slice(0, 3)).toEqual([])
  expect(read).toHaveLength(expected.length)
}
