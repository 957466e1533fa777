// Where a reader of service logs resumes, and which lines it has seen.
import { expect, test } from 'vitest'
import type { LiveMessage } from '../live.ts'
import { OutputPosition } from './output-position.ts'

const SECOND = 1_700_000_000
const line = (after: number, text: string) => ({
  service: 'web',
  time: new Date((SECOND + after) * 1000).toISOString().replace('Z', '000000Z'),
  text,
})
const subscribed = (seq: number): Extract<LiveMessage, { type: 'subscribed' }> => ({
  type: 'subscribed',
  id: '1',
  topic: 'environment:7:output',
  epoch: 'e',
  seq,
  recovered: false,
})

test('resumes three seconds before its last line, and drops what it has seen', () => {
  const place = new OutputPosition(undefined)
  place.begin(subscribed(0))
  expect(place.since).toBeUndefined()
  expect([line(1, 'one'), line(5, 'two'), line(5, 'two')].map((one) => place.admit(one))).toEqual([true, true, true])
  expect(place.since).toEqual({ epoch: 'e', seq: (SECOND + 2) * 1_000_000 })
  place.begin(subscribed(0))
  const again = [line(5, 'two'), line(4, 'late'), line(5, 'two'), line(5, 'two'), line(6, 'three')]
  expect(again.map((one) => place.admit(one))).toEqual([false, true, false, true, true])
})

test('a reader of new lines alone resumes from where it began', () => {
  const [ofNew, ofTail] = [new OutputPosition(undefined, { tail: 0 }), new OutputPosition(undefined, { tail: 5 })]
  for (const place of [ofNew, ofTail]) place.begin(subscribed(1_000_000))
  expect(ofNew.since).toEqual({ epoch: 'e', seq: 1_000_000 })
  expect(ofTail.since).toBeUndefined()
})

test('lines before the first of the last lines stay away after a break', () => {
  const place = new OutputPosition(undefined, { tail: 1 })
  place.begin(subscribed(0))
  expect(place.admit(line(5, 'last'))).toBe(true)
  place.begin(subscribed(0))
  expect([line(4, 'earlier'), line(5, 'last'), line(6, 'new')].map((one) => place.admit(one))).toEqual([
    false,
    false,
    true,
  ])
})
