// What the flags of `shipway logs` ask of the server.
import { expect, test } from 'vitest'
import { describeLogRequest, type LogFlags, readLogRequest } from './log-request.ts'

const now = Date.parse('2026-11-16T12:00:00Z')
const second = now / 1000
const none: LogFlags = {
  follow: false,
  since: undefined,
  until: undefined,
  tail: undefined,
  service: undefined,
  grep: undefined,
}
const wordsOf = (flags: Partial<LogFlags>) => describeLogRequest(readLogRequest({ ...none, ...flags }, now).request)

test.each<[Partial<LogFlags>, string]>([
  [{}, 'tail=200'],
  [{ follow: true }, 'follow tail=200'],
  [{ since: '72h' }, `since=${second - 72 * 3600}`],
  [{ since: '3d', until: '90m' }, `since=${second - 3 * 86_400} until=${second - 5400}`],
  [{ since: '1h30m', tail: '5' }, `since=${second - 5400} tail=5`],
  [{ since: '2026-11-14T09:00Z' }, `since=${Date.parse('2026-11-14T09:00Z') / 1000}`],
  [{ since: '2026-11-14T09:00:00+02:00' }, `since=${Date.parse('2026-11-14T07:00Z') / 1000}`],
  [{ until: '2026-11-14' }, `until=${Date.parse('2026-11-14T00:00Z') / 1000}`],
  [{ service: 'my_web-1.a', tail: '0' }, 'tail=0 service=my_web-1.a'],
  // All that is kept is searched.
  [{ grep: 'x', service: 'web' }, 'service=web'],
  [{ grep: 'x', tail: '5' }, ''],
  [{ grep: 'x', follow: true }, 'follow tail=200'],
])('%j is %j', (flags, words) => {
  expect(wordsOf(flags)).toBe(words)
})

test('with --grep the client counts the last lines', () => {
  expect(readLogRequest({ ...none, grep: 'x', tail: '5' }, now).last).toBe(5)
  expect(readLogRequest({ ...none, grep: 'x' }, now).last).toBeUndefined()
})

test.each<[Partial<LogFlags>, RegExp]>([
  [{ since: 'yesterday' }, /is not a time for --since/],
  [{ since: '' }, /is not a time for --since/],
  [{ since: '-5m' }, /is not a time for --since/],
  [{ until: '2026-13-40' }, /is not a time for --until/],
  [{ since: '9999-01-01T00:00Z' }, /is not a time for --since/],
  [{ since: '1h', until: '2h' }, /later than --until/],
  [{ follow: true, until: '1h' }, /either -f or --until/],
  [{ tail: '10001' }, /not a number of lines/],
  [{ tail: '-1' }, /not a number of lines/],
  [{ tail: '1e3' }, /not a number of lines/],
  [{ service: 'web;id' }, /is not a service name/],
  [{ service: 'a b' }, /is not a service name/],
  [{ grep: '' }, /--grep needs a text/],
])('%j is refused', (flags, sentence) => {
  expect(() => wordsOf(flags)).toThrow(sentence)
})
