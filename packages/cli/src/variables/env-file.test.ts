import { expect, test } from 'vitest'
import { readEnvFile } from './env-file.ts'

test.each([
  ['A=1', [['A', '1']]],
  [
    'A=1\nB=two words\n',
    [
      ['A', '1'],
      ['B', 'two words'],
    ],
  ],
  [
    'A=1\r\nB=2\r\n',
    [
      ['A', '1'],
      ['B', '2'],
    ],
  ],
  ['\ufeffA=1', [['A', '1']]],
  [
    '# a comment\n\n  # another\nA=1 # why\nB=a#b',
    [
      ['A', '1'],
      ['B', 'a#b'],
    ],
  ],
  ['export A=1', [['A', '1']]],
  ['A = 1', [['A', '1']]],
  ['A=', [['A', '']]],
  [
    'A=\'\'\nB=""',
    [
      ['A', ''],
      ['B', ''],
    ],
  ],
  ["A='it is $HOME \\n # as it is'", [['A', 'it is $HOME \\n # as it is']]],
  ['A="a\\nb\\t\\"c\\" \\\\ \\$HOME $USER \\x"', [['A', 'a\nb\t"c" \\ $HOME $USER \\x']]],
  [
    "KEY='-----BEGIN-----\nabc\n-----END-----'\nB=2",
    [
      ['KEY', '-----BEGIN-----\nabc\n-----END-----'],
      ['B', '2'],
    ],
  ],
  ['KEY="one\ntwo" # why', [['KEY', 'one\ntwo']]],
  ['A=b=c==', [['A', 'b=c==']]],
  ["A=it's", [['A', "it's"]]],
  ['A=`x`', [['A', '`x`']]],
  ['', []],
])('%j', (text, expected) => {
  expect(readEnvFile(text, 'file')).toEqual(expected)
})

test.each([
  ['A=1\nsecret-without-a-key\nB=2', 2],
  ["A='never ends", 1],
  ['A=1\n\nB="never ends\nC=3', 3],
  ['A="x" y', 1],
  ['=value', 1],
])('%j is an error in line %i, and no value is shown', (text, line) => {
  expect(() => readEnvFile(text, 'my.env')).toThrow(`my.env, line ${line}: not a KEY=VALUE line`)
  expect(() => readEnvFile(text, 'my.env')).not.toThrow('secret')
})

test('a large file is fast', () => {
  const startedAt = process.cpuUsage()
  const lines = Array.from({ length: 20_000 }, (_, index) => `KEY_${index}= ${' '.repeat(40)}value${' '.repeat(40)}`)
  expect(readEnvFile(lines.join('\n'), 'file')).toHaveLength(20_000)
  expect(() => readEnvFile(`A="${'\\a'.repeat(200_000)}`, 'file')).toThrow('line 1')
  expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(5)
})
