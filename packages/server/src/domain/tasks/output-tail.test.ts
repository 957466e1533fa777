// The end of an output: which lines, which numbers, which text.
import { expect, test } from 'vitest'
import { outputTail, TAIL_LINES } from './output-tail.ts'

const bytes = (text: string) => Buffer.from(text)
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

test('a short output is shown as it is', () => {
  expect(outputTail(bytes('one\ntwo\n'), { totalLines: 2, isWhole: true })).toEqual({
    text: 'one\ntwo\n',
    firstLine: 1,
    lastLine: 2,
    totalLines: 2,
    isTruncated: false,
  })
})

test('a last line without its end counts', () => {
  const tail = outputTail(bytes('one\n\ntwo'), { totalLines: 3, isWhole: true })
  expect(tail).toMatchObject({ text: 'one\n\ntwo', firstLine: 1, lastLine: 3 })
})

test('nothing was printed', () => {
  expect(outputTail(bytes(''), { totalLines: 0, isWhole: true })).toBeUndefined()
})

test('of many lines the last are shown, with their numbers', () => {
  const tail = outputTail(bytes(numbered(1, 1000)), { totalLines: 1000, isWhole: true })
  expect(tail).toEqual({
    text: numbered(1000 - TAIL_LINES + 1, 1000),
    firstLine: 801,
    lastLine: 1000,
    totalLines: 1000,
    isTruncated: true,
  })
})

test('the line that was cut at the beginning is left out', () => {
  const tail = outputTail(bytes('alf a line\nwhole\nlast\n'), { totalLines: 90, isWhole: false })
  expect(tail).toMatchObject({ text: 'whole\nlast\n', firstLine: 89, lastLine: 90, isTruncated: true })
})

test('of one endless line the end is shown, from a whole character on', () => {
  for (const end of ['', '\n']) {
    const cut = bytes(`🚀 rest${end}`).subarray(2)
    const tail = outputTail(cut, { totalLines: 7, isWhole: false })
    expect(tail).toMatchObject({ text: ` rest${end}`, firstLine: 7, lastLine: 7, isTruncated: true })
  }
})

test('a long line is cut in the middle, so that those before and after it are there', () => {
  const whole = `Error: the real reason\n<${'y'.repeat(70_000)}>\nlast\n`
  expect(outputTail(bytes(whole), { totalLines: 3, isWhole: true })).toEqual({
    text: `Error: the real reason\n<${'y'.repeat(999)} [68002 characters of this line left out] ${'y'.repeat(999)}>\nlast\n`,
    firstLine: 1,
    lastLine: 3,
    totalLines: 3,
    isTruncated: true,
  })
})

test('no character is cut in two', () => {
  const tail = outputTail(bytes(`a${'🚀'.repeat(2_000)}b`), { totalLines: 1, isWhole: true })
  expect(tail?.text).toBe(`a${'🚀'.repeat(499)} [2002 characters of this line left out] ${'🚀'.repeat(499)}b`)
})

test('of many long lines as many are shown as there is room for', () => {
  const tail = outputTail(bytes(`${'日'.repeat(3_000)}\n`.repeat(100)), { totalLines: 100, isWhole: true })
  expect(Buffer.byteLength(tail?.text ?? '')).toBeLessThanOrEqual(64 * 1024)
  expect(tail).toMatchObject({ firstLine: 91, lastLine: 100, isTruncated: true })
  expect(tail?.text.split('\n')).toHaveLength(11)
})

test.each([
  ['pct 1\rpct 2\rpct 3\n', 'pct 3\n'],
  ['pct 1\rpct 2\r\n', 'pct 2\n'],
  ['pct 1\r\u001b[K\ndone\r', 'pct 1\ndone'],
  ['\r\n\r\n', '\n\n'],
])('of %j a terminal shows %j in the end', (printed, text) => {
  expect(outputTail(bytes(printed), { totalLines: 2, isWhole: true })).toMatchObject({ text, isTruncated: false })
})

test('bytes that are no text become replacement characters, and steering is left out', () => {
  const hostile = Buffer.concat([
    bytes('\ufeffa\u001b[2Jb\r\n'),
    Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80, 0x0a, 0xe2, 0x82]),
  ])
  const tail = outputTail(hostile, { totalLines: 3, isWhole: true })
  expect(tail?.text).toBe('ab\n\ufffd\ufffd\ufffd\ufffd\ufffd\n\ufffd')
})

test('a sequence that runs over lines swallows none', () => {
  const tail = outputTail(bytes('a\u001b]0;x\nb\u0007c\n'), { totalLines: 2, isWhole: true })
  expect(tail).toMatchObject({ text: 'a]0;x\nbc\n', lastLine: 2 })
})
