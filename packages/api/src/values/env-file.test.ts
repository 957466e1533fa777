import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseEnv } from './env-file.ts'

const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(parseEnv(text).entries.map(({ key, value }) => [key, value]))

describe('values', () => {
  test.each([
    ['KEY=value', 'value'],
    ['KEY=', ''],
    ['KEY=""', ''],
    ["KEY=''", ''],
    ['  KEY = value  ', 'value'],
    ['export KEY=value', 'value'],
    ['export\tKEY=value', 'value'],
    ['KEY=a b  c', 'a b  c'],
    ['KEY=value # a comment', 'value'],
    ['KEY=pass#word', 'pass#word'],
    ['KEY=#1', '#1'],
    ['KEY= # nothing', ''],
    ['KEY=a=b==', 'a=b=='],
    ['KEY="a # b" # a comment', 'a # b'],
    ["KEY='a # b'", 'a # b'],
    ['KEY="line\\nbreak\\ttab"', 'line\nbreak\ttab'],
    ['KEY="say \\"hello\\""', 'say "hello"'],
    ['KEY="back\\\\slash"', 'back\\slash'],
    ['KEY="C:\\\\"', 'C:\\'],
    ['KEY="\\d+ \\$HOME"', '\\d+ $HOME'],
    ["KEY='no \\n escape'", 'no \\n escape'],
    ["KEY=it's", "it's"],
    ['KEY=${' + 'OTHER}/x', '${' + 'OTHER}/x'],
    ['KEY="first\nsecond\n"', 'first\nsecond\n'],
    ["KEY='first\nsecond'", 'first\nsecond'],
    ['KEY="first\r\nsecond"', 'first\nsecond'],
    ['\uFEFFKEY=value', 'value'],
    ['KEY=日本語 ✓', '日本語 ✓'],
    ['KEY=`date`', '`date`'],
  ])('%j', (text, value) => {
    expect(parseEnv(text)).toMatchObject({ entries: [{ key: 'KEY', value }], faults: [] })
  })

  test.each(['\n', '\r\n', '\r'])('lines that end with %j', (end) => {
    expect(pairsOf(['A=1', '', '# note', 'B=2', ''].join(end))).toEqual({ A: '1', B: '2' })
  })

  test('any value survives double quotes', () => {
    const escaped = (value: string): string =>
      value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\r', '\\r').replaceAll('\n', '\\n')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (value, other) => {
        expect(pairsOf(`A="${escaped(value)}"\nB="${escaped(other)}"`)).toEqual({ A: value, B: other })
      }),
    )
  })

  test('any text is read to its end, and no fault repeats any of it', () => {
    const known = new Set<string>()
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        const { entries, faults, lineCount } = parseEnv(text)
        for (const { sentence } of faults) known.add(sentence)
        for (const { line } of [...entries, ...faults]) expect(line).toBeLessThanOrEqual(Math.max(1, lineCount))
      }),
    )
    expect(known.size).toBeLessThanOrEqual(4)
  })
})

describe('lines', () => {
  test('each entry knows the line that it begins in', () => {
    const { entries, lineCount } = parseEnv('# note\nA="1\n2"\n\nB=3\n')
    expect(entries.map(({ key, line }) => [key, line])).toEqual([
      ['A', 2],
      ['B', 5],
    ])
    expect(lineCount).toBe(5)
  })

  test('the last of several equal keys wins, and names those before it', () => {
    expect(parseEnv('A=1\nB=2\nA=3\nA=4').entries).toEqual([
      { key: 'B', value: '2', line: 2, earlier: [] },
      { key: 'A', value: '4', line: 4, earlier: [1, 3] },
    ])
  })

  test('an empty text has no lines', () => {
    expect(parseEnv('')).toEqual({ entries: [], faults: [], lineCount: 0 })
  })
})

describe('faults', () => {
  test.each([
    ['A=1\nhello there\nB=2', 2, { A: '1', B: '2' }],
    ['=value\nB=2', 1, { B: '2' }],
    ['two words=value\nB=2', 1, { B: '2' }],
    ['A="x"y\nB=2', 1, { B: '2' }],
  ])('%j has a fault in line %i, and the rest is read', (text, line, pairs) => {
    const { faults } = parseEnv(text)
    expect(faults.map((fault) => fault.line)).toEqual([line])
    expect(pairsOf(text)).toEqual(pairs)
  })

  test('what follows quotation marks that are not closed may be a secret: none of it becomes a key', () => {
    expect(parseEnv('A=1\nB="open\nc2VjcmV0=\n')).toMatchObject({
      entries: [{ key: 'A' }],
      faults: [{ line: 2 }],
    })
  })

  test('a private key without quotation marks is one fault, and none of its lines becomes a key', () => {
    const text = 'KEY=-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN=\nc2VjcmV0==\n-----END PRIVATE KEY-----\nB=2'
    expect(parseEnv(text).faults).toHaveLength(1)
    expect(pairsOf(text)).toEqual({ B: '2' })
  })

  test('signs of comments before another kind of line end take a time that grows with their number alone', () => {
    expect(pairsOf(`A=1${' #'.repeat(500_000)}\u2028x`)).toEqual({ A: '1' })
  })

  test('a text of a megabyte is read at once', () => {
    const text = `${'A="'.padEnd(1024 * 1024, 'x\n')}"`
    expect(parseEnv(text).entries).toHaveLength(1)
    expect(parseEnv('x\n'.repeat(100_000)).faults).toHaveLength(100_000)
  })
})
