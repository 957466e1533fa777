// What of a piece of output is new to a reader.
import { expect, test } from 'vitest'
import { LogPosition } from './log-position.ts'

const subscribed = (recovered: boolean, seq = 0) => ({
  type: 'subscribed' as const,
  id: '1',
  topic: 'task:7:log',
  epoch: 'e1',
  seq,
  recovered,
})

function positionAt(seq: number): LogPosition {
  const position = new LogPosition({ epoch: 'e0', seq })
  position.begin(subscribed(true, seq))
  return position
}

test.each([
  // The reader is at byte 10.
  [{ offset: 14, text: 'abcd' }, { text: 'abcd' }],
  [{ offset: 10, text: 'abcd' }, 'old'],
  [{ offset: 9, text: '' }, 'old'],
  [{ offset: -3, text: 'x' }, 'old'],
  [{ offset: 12, text: 'abcd' }, { text: 'cd' }],
  [{ offset: 12, text: 'ä€xy' }, { text: 'xy' }],
  [{ offset: 13, text: '\ufeffabc€' }, { text: '€' }],
  [
    { offset: 15, text: 'abcd' },
    { gap: true, start: 11 },
  ],
  [
    { offset: 11, text: '' },
    { gap: true, start: 11 },
  ],
  // Bytes that are no UTF-8: one, two or three of them are one character of three bytes.
  [{ offset: 11, text: '\ufffd' }, { text: '\ufffd' }],
  [{ offset: 12, text: '\ufffd' }, { text: '\ufffd' }],
  [{ offset: 15, text: '\ufffda\ufffd\ufffd' }, { text: '\ufffda\ufffd\ufffd' }],
  [
    { offset: 16, text: '\ufffd' },
    { gap: true, start: 13 },
  ],
])('%j', (piece, expected) => {
  expect(positionAt(10).compare(piece)).toEqual(expected)
})

test('a log goes on from the byte after the last piece that was taken, and never backwards', () => {
  const position = new LogPosition(undefined)
  expect(position.since).toBeUndefined()
  // Whether `seq` is the length of the log or the position where it begins: it comes from its first byte on.
  position.begin(subscribed(false, 99))
  expect(position.compare({ offset: 2, text: 'ab' })).toEqual({ text: 'ab' })
  expect(position.since).toBeUndefined()
  position.moveTo(2)
  expect(position.since).toEqual({ epoch: 'e1', seq: 2 })
  position.moveTo(1)
  expect(position.since).toEqual({ epoch: 'e1', seq: 2 })
})

test('a position that the platform does not know is forgotten: the next piece says where it goes on', () => {
  const position = new LogPosition({ epoch: 'e0', seq: 900 })
  position.begin(subscribed(false))
  expect(position.since).toBeUndefined()
  expect(position.compare({ offset: 12, text: 'ab' })).toEqual({ text: 'ab' })
  position.moveTo(12)
  expect(position.compare({ offset: 12, text: 'ab' })).toBe('old')
  expect(position.since).toEqual({ epoch: 'e1', seq: 12 })
})
