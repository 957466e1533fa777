import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { LimitedOutput, outputLimits } from './output-limits.ts'

const small = { lineBytes: 10, headBytes: 40, tailBytes: 10 }

test.each([
  ['nothing', ''],
  ['short lines', 'one\ntwo\n'],
  ['lines at the limit', '1234567890\n1234567890\n'],
  ['as much as fits', 'l 0\nl 1\n'.repeat(7).slice(0, 50)],
])('%s stays as it is', (_, text) => {
  expect(limit([text])).toBe(text)
})

test('a long line is cut with a note, however it arrives', () => {
  const limits = { ...small, headBytes: 1_000 }
  const whole = limit([`${'x'.repeat(25)}\nnext\n`], limits)
  expect(whole).toBe(`${'x'.repeat(10)} [15 bytes of this line left out]\nnext\n`)
  expect(limit([...`${'x'.repeat(25)}\nnext\n`], limits)).toBe(whole)
})

test('a long line that never ends is cut with a note too', () => {
  expect(limit(['x'.repeat(25)], { ...small, headBytes: 1_000 })).toBe('xxxxxxxxxx [15 bytes of this line left out]')
})

test('long output keeps its start and end, with a line that says how much is missing', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `l ${index % 10}\n`).join('')
  const expected = `${lines.slice(0, 40)}[30 bytes left out here]\n${lines.slice(-10)}`
  expect(limit([lines])).toBe(expected)
  expect(limit([...lines])).toBe(expected)
})

test('the note begins a line of its own', () => {
  const limits = { lineBytes: 1_000, headBytes: 3, tailBytes: 3 }
  expect(limit(['abcdefghi'], limits)).toBe('abc\n[3 bytes left out here]\nghi')
})

test('a gap in the server’s output is noted where it is', () => {
  const limited = new LimitedOutput({ ...small, headBytes: 1_000 })
  const pieces = [...limited.write(Buffer.from('one')), ...limited.skip(7), ...limited.write(Buffer.from('two\n'))]
  expect(Buffer.concat([...pieces, ...limited.end()]).toString()).toBe('one\n[7 bytes left out here]\ntwo\n')
})

test('a gap after the head is added to the omitted bytes', () => {
  const limited = new LimitedOutput({ lineBytes: 100, headBytes: 4, tailBytes: 4 })
  const pieces = [
    ...limited.write(Buffer.from('abc\nde\nfg\n')),
    ...limited.skip(100),
    ...limited.write(Buffer.from('xyz\n')),
  ]
  expect(Buffer.concat([...pieces, ...limited.end()]).toString()).toBe('abc\n[106 bytes left out here]\nxyz\n')
})

test('a process that takes over continues the head where the last one stopped', () => {
  const limited = new LimitedOutput(small, 38)
  expect(Buffer.concat(limited.write(Buffer.from('a\nb\nc\n'))).toString()).toBe('a\n')
  expect(Buffer.concat(limited.end()).toString()).toBe('b\nc\n')
})

test('binary output passes unchanged', () => {
  const bytes = Buffer.from(randomBytes(100_000).map((byte) => (byte % 50 === 0 ? 10 : byte)))
  const limited = new LimitedOutput()
  expect(Buffer.concat([...limited.write(bytes), ...limited.end()]).equals(bytes)).toBe(true)
})

test('every byte is either kept or counted, for any size of the ends and of the pieces', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const bytes = randomBytes(1 + ((seed * 37) % 500)).map((byte) => (byte % 9 === 0 ? 10 : 120))
    const limits = { lineBytes: 1_000, headBytes: seed % 90, tailBytes: 1 + ((seed * 7) % 60) }
    const limited = new LimitedOutput(limits)
    const size = 1 + (seed % 11)
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      limited.write(Buffer.from(bytes.subarray(index * size, (index + 1) * size))),
    )
    const head = Buffer.concat(pieces.flat())
    const rest = Buffer.concat(limited.end()).toString()
    const note = /^\n?\[(\d+) bytes left out here\]\n/.exec(rest)
    const leftOut = note?.[1] ?? '0'
    const tail = rest.slice(note?.[0].length ?? 0)
    expect(head.length + Number(leftOut) + tail.length, `seed ${seed}`).toBe(bytes.length)
    expect(head.length).toBe(Math.min(limits.headBytes, bytes.length))
    expect(tail.length).toBeLessThanOrEqual(limits.tailBytes)
    expect(
      Buffer.from(bytes)
        .subarray(bytes.length - tail.length)
        .toString(),
    ).toBe(tail)
  }
})

test('the limits are 64 KiB a line, and 40 and 10 MiB', () => {
  expect(outputLimits).toEqual({ lineBytes: 65_536, headBytes: 41_943_040, tailBytes: 10_485_760 })
})

function limit(input: readonly string[], limits = small): string {
  const limited = new LimitedOutput(limits)
  return Buffer.concat([...input.flatMap((text) => limited.write(Buffer.from(text))), ...limited.end()]).toString()
}
