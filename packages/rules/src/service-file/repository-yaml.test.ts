import { expect, test } from 'vitest'
import { RepositoryConfigFault } from './repository-config.ts'
import { parseRepositoryYaml } from './repository-yaml.ts'

const bomb = `a: &a [x,x,x,x,x,x,x,x,x]
b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]
c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]
d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]
e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]
f: [*e,*e,*e,*e,*e,*e,*e,*e,*e]`
const anchors = 'Anchors are not allowed; write the value out where it is needed'
const empty = 'The file is empty; begin with a section such as services:'
const noMap = 'The file must be a map of sections, such as services: and docker:'
const tooMany = 'The file has too many entries; move long scripts into files of their own'
const tooLarge = 'The file is larger than 256 KiB; move long scripts into files of their own'
const colon = 'A text with a colon and a space in it must stand in quotes, such as run: "echo a: b"'
const invisible = (code: string) => `The invisible character U+${code} cannot stand in this file; take it out`

test.each([
  ['', `1:1: ${empty}`],
  ['\uFEFF', `1:1: ${empty}`],
  ['# nothing yet\n', `1:1: ${empty}`],
  ['---\n', `1:1: ${empty}`],
  ['\n\n- just\n- a list', `3:1: ${noMap}`],
  ['text', `1:1: ${noMap}`],
  ['~', `1:1: ${noMap}`],
  [bomb, `1:4: ${anchors}`],
  ['a: *b', '1:4: Aliases are not allowed; write the value out'],
  ['a: { <<: { b: 1 } }', '1:6: Merge keys are not allowed; write the keys out'],
  ["x: !!js/function 'function(){return process.exit()}'", '1:4: Tags are not allowed; write the plain value'],
  ["x: !!python/object/apply:os.system ['id']", '1:4: Tags are not allowed; write the plain value'],
  ['x: !!str 1', '1:4: Tags are not allowed; write the plain value'],
  ['!!map { a: 1 }', '1:1: Tags are not allowed; write the plain value'],
  ['!a k: 1', '1:1: Tags are not allowed; write the plain value'],
  ['x: ! |\n  a', '1:4: Tags are not allowed; write the plain value'],
  ['? &a [b]\n: 1', `1:3: ${anchors}`],
  ['%YAML 1.1\n---\na: 1', '1:1: Directives are not allowed; the file is read as YAML 1.2'],
  ['a: 1\n---\nb: 2', '2:1: The file must hold one document; take out what follows'],
  ['a: 1\nb: 2\na: 3', '3:1: a stands here twice; keep one of them'],
  ['x: [{ 1: a, "1": b }]', '1:13: 1 stands here twice; keep one of them'],
  ['? [a]\n: b', '1:3: A key must be plain text on one line'],
  ['services:\n\tweb: {}', '2:1: Indent with spaces; YAML allows no tabs there'],
  ['manual:\n  deploy:\n    - run: echo a: b', `3:12: ${colon}`],
  ['actions: { a: { run: echo a: b } }', `1:22: ${colon}`],
  ['run: echo a\n  b: c', '1:6: This is not valid YAML: Nested mappings are not allowed in compact mappings'],
  ['a: 1\nb: \0', `2:4: ${invisible('0000')}`],
  ['a: \u001b[31m', `1:4: ${invisible('001B')}`],
  ['a: \uFEFF', `1:4: ${invisible('FEFF')}`],
  [`a: ${'['.repeat(40)}${']'.repeat(40)}`, '1:36: The file is nested deeper than 32 levels'],
])('%j is refused: %s', (text, first) => {
  expect(faultOf(text).message.split('\n')[0]).toBe(`.service.yml:${first}`)
})

test.each([
  ['256 KiB of brackets', '['.repeat(256 * 1024), tooMany],
  ['100,000 broken escapes', `a: "${'\\x'.repeat(100_000)}"`, tooMany],
  ['50,000 keys', 'a: 1\n'.repeat(50_000), tooMany],
  ['256 KiB and a byte', `#${'x'.repeat(256 * 1024)}`, tooLarge],
  ['fewer characters but more bytes', 'é'.repeat(128 * 1024 + 1), tooLarge],
])('%s are refused', (_, text, sentence) => {
  expect(faultOf(text).message).toBe(`.service.yml:1:1: ${sentence}`)
})

test.each([
  [Buffer.from([0x61, 0x3a, 0x20, 0x31, 0x0a, 0xff]), 2, 1],
  [Buffer.from('a: é', 'latin1'), 1, 4],
  [Buffer.from('\uFEFFa: 1', 'utf16le'), 1, 1],
])('%o is not UTF-8', (bytes, line, column) => {
  expect(faultOf(bytes).faults).toEqual([
    { line, column, path: '', sentence: 'The file is not UTF-8; save it in that encoding' },
  ])
})

test('exactly 256 KiB are read', () => {
  const text = `a: ${'x'.repeat(256 * 1024 - 3)}`
  expect(parseRepositoryYaml(text).root.items).toHaveLength(1)
})

test('what YAML reads differently by version is read as 1.2', () => {
  const { root } = parseRepositoryYaml('a: yes\nb: 0o17\nc: 017\nd: 1:30\ne: 2024-01-01\nf: "<<"\n"<<": 1')
  expect(root.toJSON()).toEqual({ a: 'yes', b: 15, c: 17, d: '1:30', e: '2024-01-01', f: '<<', '<<': 1 })
})

test('a value that begins with {env} is answered with the advice to quote it', () => {
  const { message } = faultOf('services:\n  web:\n    domain: {env}.example.com\n')
  expect(message).toMatch(
    /^\.service\.yml:3:\d+: This is not valid YAML: .*; put a value that begins with \{env\} in quotes/,
  )
})

test('a long or strange key is quoted and cut', () => {
  const { message } = faultOf(`"a\\n${'b'.repeat(100)}": 1\n"a\\n${'b'.repeat(100)}": 1`)
  expect(message).toBe(`.service.yml:2:1: "a\\n${'b'.repeat(58)}…" stands here twice; keep one of them`)
})

function faultOf(content: string | Uint8Array): RepositoryConfigFault {
  try {
    parseRepositoryYaml(content)
  } catch (error) {
    if (error instanceof RepositoryConfigFault) return error
    throw error
  }
  throw new Error('the file was taken')
}
