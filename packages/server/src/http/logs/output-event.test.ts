// Output as events: cut anywhere, the text is the same and the offsets are exact.
import { expect, test } from 'vitest'
import { outputEvent, wholeLength } from './output-event.ts'

test.each([
  ['plain', 'abc', 3],
  ['two bytes', 'ä', 2],
  ['four bytes', 'a🚀', 5],
  ['a newline', 'a\n', 2],
  ['half a line end', 'a\r', 1],
  ['a whole line end', 'a\r\n', 3],
  ['nothing', '', 0],
])('%s', (_, text, length) => {
  expect(wholeLength(Buffer.from(text))).toBe(length)
})

test.each([
  ['the first byte of two', [0x61, 0xc3], 1],
  ['two bytes of three', [0x61, 0xe2, 0x82], 1],
  ['three bytes of four', [0xf0, 0x9f, 0x9a], 0],
  ['a continuation of nothing', [0x61, 0x80], 2],
  ['four continuations', [0x80, 0x80, 0x80, 0x80], 4],
  ['a byte that begins nothing', [0xc0], 1],
  ['another one', [0xff], 1],
])('%s', (_, bytes, length) => {
  expect(wholeLength(Buffer.from(bytes))).toBe(length)
})

test('each line is a line of data, and a line end at the end is kept', () => {
  expect(outputEvent(Buffer.from('a\nb\n'), 4)).toBe('id: 4\nevent: output\ndata: a\ndata: b\ndata: \n\n')
  expect(outputEvent(Buffer.from('a\r\nb\rc'), 6)).toBe('id: 6\nevent: output\ndata: a\ndata: b\ndata: c\n\n')
})

test('output cannot forge an event', () => {
  const event = outputEvent(Buffer.from('x\n\nevent: end\ndata: {}\r\rid: 0\n'), 30)
  const fields = event.split(/\r\n|\r|\n/).map((line) => line.split(':')[0])
  expect(fields).toEqual(['id', 'event', 'data', 'data', 'data', 'data', 'data', 'data', 'data', '', ''])
})

test('cut at every pair of places, the text is that of the whole', () => {
  const whole = Buffer.concat([
    Buffer.from('ä€🚀\r\n\r€'),
    Buffer.from([0xe2, 0x82, 0x61, 0xf0, 0x9f, 0x0a, 0xed, 0xa0, 0x80]),
  ])
  const text = whole.toString('utf8').replaceAll(/\r\n|\r/g, '\n')
  for (let first = 0; first <= whole.length; first++) {
    for (let second = first; second <= whole.length; second++) {
      expect(readInPieces(whole, [first, second]), `${first}, ${second}`).toBe(text)
    }
  }
})

/** As one who follows does: what is not whole is read again with what comes after it. */
function readInPieces(whole: Buffer, there: readonly number[]): string {
  let place = 0
  let text = ''
  for (const length of [...there, whole.length]) {
    const piece = whole.subarray(place, length)
    const ready = wholeLength(piece)
    text += textOf(piece.subarray(0, ready))
    place += ready
  }
  return text + textOf(whole.subarray(place))
}

function textOf(bytes: Buffer): string {
  if (bytes.length === 0) return ''
  const data = outputEvent(bytes, 0)
    .split('\n')
    .filter((line) => line.startsWith('data: '))
  return data.map((line) => line.slice(6)).join('\n')
}
