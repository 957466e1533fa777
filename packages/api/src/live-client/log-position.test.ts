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

function placeAt(seq: number): LogPosition {
  const place = new LogPosition({ epoch: 'e0', seq })
  place.begin(subscribed(true, seq))
  return place
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
  expect(placeAt(10).look(piece)).toEqual(expected)
})

test('a log goes on from the byte after the last piece that was taken, and never backwards', () => {
  const place = new LogPosition(undefined)
  expect(place.since).toBeUndefined()
  // Whether `seq` is the length of the log or the place where it begins: it comes from its first byte on.
  place.begin(subscribed(false, 99))
  expect(place.look({ offset: 2, text: 'ab' })).toEqual({ text: 'ab' })
  expect(place.since).toBeUndefined()
  place.moveTo(2)
  expect(place.since).toEqual({ epoch: 'e1', seq: 2 })
  place.moveTo(1)
  expect(place.since).toEqual({ epoch: 'e1', seq: 2 })
})

test('a place that the platform does not know is forgotten: the next piece says where it goes on', () => {
  const place = new LogPosition({ epoch: 'e0', seq: 900 })
  place.begin(subscribed(false))
  expect(place.since).toBeUndefined()
  expect(place.look({ offset: 12, text: 'ab' })).toEqual({ text: 'ab' })
  place.moveTo(12)
  expect(place.look({ offset: 12, text: 'ab' })).toBe('old')
  expect(place.since).toEqual({ epoch: 'e1', seq: 12 })
})
