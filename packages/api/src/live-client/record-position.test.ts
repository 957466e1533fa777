// Which events of a record are new, and from where to go on.
import { expect, test } from 'vitest'
import { event } from '../../test/live-messages.ts'
import { RecordPosition } from './record-position.ts'

const subscribed = (seq: number, recovered: boolean, epoch = 'e1') => ({
  type: 'subscribed' as const,
  id: '1',
  topic: 'task:7',
  epoch,
  seq,
  recovered,
})

/** The ids of those that were admitted, of messages given as number and id. */
function admitted(place: RecordPosition, messages: readonly (readonly [seq: number, id: number])[]): number[] {
  const events = messages.map(([seq, id]) => event('task:7', seq, id))
  return events.filter((one) => place.admit(one, JSON.stringify(one))).map(({ data }) => ('id' in data ? data.id : 0))
}

test('messages of one number are all new, and an older number is not', () => {
  const place = new RecordPosition(undefined)
  expect(place.since).toBeUndefined()
  place.begin(subscribed(5, false))
  expect(place.since).toEqual({ epoch: 'e1', seq: 5 })
  const messages = [
    [4, 1],
    [6, 2],
    [6, 3],
    [5, 4],
    [7, 5],
    [6, 6],
  ] as const
  expect(admitted(place, messages)).toEqual([2, 3, 5])
  expect(place.since).toEqual({ epoch: 'e1', seq: 6 })
})

test.each([
  ['the place that was asked for', 6],
  ['the newest there is', 9],
])('after a break nothing of the newest number is lost, and none comes twice, where `seq` is %s', (_, seq) => {
  const place = new RecordPosition(undefined)
  place.begin(subscribed(5, false))
  admitted(place, [
    [6, 1],
    [7, 2],
  ])
  expect(place.since).toEqual({ epoch: 'e1', seq: 6 })
  place.begin(subscribed(seq, true))
  const missed = [
    [7, 2],
    [7, 3],
    [8, 4],
    [9, 5],
  ] as const
  expect(admitted(place, missed)).toEqual([3, 4, 5])
  // Cut again.
  expect(place.since).toEqual({ epoch: 'e1', seq: 8 })
  place.begin(subscribed(Math.max(seq, 8), true))
  expect(admitted(place, missed)).toEqual([])
  expect(admitted(place, [[10, 6]])).toEqual([6])
  expect(place.since).toEqual({ epoch: 'e1', seq: 9 })
  expect(admitted(place, [[9, 7]])).toEqual([])
})

test('records that changed meanwhile may come in any order, up to the number of the subscription', () => {
  const place = new RecordPosition({ epoch: 'e1', seq: 3 })
  place.begin(subscribed(9, true))
  expect(
    admitted(place, [
      [9, 1],
      [4, 2],
      [2, 3],
      [7, 4],
    ]),
  ).toEqual([1, 2, 4])
  expect(place.since).toEqual({ epoch: 'e1', seq: 8 })
  expect(
    admitted(place, [
      [10, 5],
      [9, 6],
    ]),
  ).toEqual([5])
  expect(place.since).toEqual({ epoch: 'e1', seq: 9 })
})

test('another epoch counts anew', () => {
  const place = new RecordPosition({ epoch: 'e0', seq: 900 })
  place.begin(subscribed(2, true))
  expect(place.since).toEqual({ epoch: 'e0', seq: 900 })
  expect(
    admitted(place, [
      [0, 9],
      [1, 1],
      [2, 2],
    ]),
  ).toEqual([9, 1, 2])
  expect(place.since).toEqual({ epoch: 'e1', seq: 1 })
  place.begin(subscribed(0, false, 'e2'))
  expect(place.since).toEqual({ epoch: 'e2', seq: 0 })
  expect(admitted(place, [[2, 2]])).toEqual([2])
})

test('what is remembered is bounded, and then an event may come twice but is not lost', () => {
  const place = new RecordPosition(undefined)
  place.begin(subscribed(0, false))
  const first = event('task:7', 1)
  const long = 'x'.repeat(200 * 1024)
  expect(place.admit(first, `${long}1`)).toBe(true)
  expect(place.admit(first, `${long}1`)).toBe(false)
  expect(place.admit(first, `${long}2`)).toBe(true)
  expect(place.admit(first, `${long}2`)).toBe(true)
  // A newer number makes room.
  expect(place.admit(event('task:7', 2), `${long}3`)).toBe(true)
  expect(place.admit(event('task:7', 2), `${long}3`)).toBe(false)
})

test('a number up to which every event has arrived is where it resumes, unless it is old or of another epoch', () => {
  const place = new RecordPosition(undefined)
  place.begin(subscribed(5, false))
  expect(admitted(place, [[7, 1]])).toEqual([1])
  place.moveOn({ epoch: 'e1', seq: 6 })
  place.moveOn({ epoch: 'e2', seq: 60 })
  expect(place.since).toEqual({ epoch: 'e1', seq: 6 })
  place.moveOn({ epoch: 'e1', seq: 7 })
  expect(place.since).toEqual({ epoch: 'e1', seq: 7 })
  place.moveOn({ epoch: 'e1', seq: 90 })
  expect(place.since).toEqual({ epoch: 'e1', seq: 90 })
  expect(
    admitted(place, [
      [7, 1],
      [89, 2],
      [91, 3],
    ]),
  ).toEqual([3])
  expect(place.since).toEqual({ epoch: 'e1', seq: 90 })
})
