// Schedules over changes of the clocks, by tables, and for a whole year against a slow reference that asks every minute.
import { expect, test } from 'vitest'
import { momentsOf } from './next-moment.ts'
import { offsetAt } from './time-zone.ts'

const MINUTE = 60_000

function take(cron: string, timeZone: string, { from, until }: { from: string; until: string }): string[] {
  const next = momentsOf({ cron, timeZone })
  const found: string[] = []
  for (let at = next(Date.parse(from)); at !== undefined && at < Date.parse(until); at = next(at))
    found.push(new Date(at).toISOString().slice(5, 16))
  return found
}

// Berlin: on 29 March 02:00 becomes 03:00 (01:00 UTC); on 25 October 03:00 becomes 02:00 (01:00 UTC).
const spring = { from: '2026-03-28T23:59Z', until: '2026-03-29T03:01Z' }
const autumn = { from: '2026-10-24T23:29Z', until: '2026-10-25T03:01Z' }

test.each([
  ['30 2 * * *', ['03-29T01:00']],
  ['15,30,45 2 * * *', ['03-29T01:00']],
  ['0 2,3 * * *', ['03-29T01:00']],
  ['30 1,2,3 * * *', ['03-29T00:30', '03-29T01:00', '03-29T01:30']],
  ['0 * * * *', ['03-29T00:00', '03-29T01:00', '03-29T02:00', '03-29T03:00']],
  ['30 2 30 3 *', []],
])('where clocks skip an hour, %s is due at the first moment after it', (cron, moments) => {
  expect(take(cron, 'Europe/Berlin', spring)).toEqual(moments)
})

test.each([
  ['30 2 * * *', ['10-25T00:30']],
  ['*/20 2 * * *', ['10-25T00:00', '10-25T00:20', '10-25T00:40']],
  ['0 2,3 * * *', ['10-25T00:00', '10-25T02:00']],
  ['30 */2 * * *', ['10-25T00:30']],
])('where clocks repeat an hour, %s is due the first time', (cron, moments) => {
  expect(take(cron, 'Europe/Berlin', autumn)).toEqual(moments)
})

test('with * for the hour, a schedule is due in every hour that passes', () => {
  expect(take('0 * * * *', 'Europe/Berlin', autumn)).toEqual([
    '10-25T00:00',
    '10-25T01:00',
    '10-25T02:00',
    '10-25T03:00',
  ])
  expect(take('*/30 * * * *', 'Europe/Berlin', { from: '2026-10-25T00:29Z', until: '2026-10-25T02:01Z' })).toEqual([
    ...['10-25T00:30', '10-25T01:00', '10-25T01:30', '10-25T02:00'],
  ])
})

test('a start in the middle of a repeated hour finds the same moments', () => {
  const rest = { from: '2026-10-25T01:10Z', until: '2026-10-26T00:00Z' }
  expect(take('30 2 * * *', 'Europe/Berlin', rest)).toEqual([])
  expect(take('30 * * * *', 'Europe/Berlin', { ...rest, until: '2026-10-25T03:00Z' })).toEqual([
    '10-25T01:30',
    '10-25T02:30',
  ])
})

test('the 29th of February comes every four years, and names, ranges and both kinds of days are read', () => {
  expect(take('0 0 29 feb *', 'UTC', { from: '2026-01-01T00:00Z', until: '2033-01-01T00:00Z' })).toEqual([
    ...['02-29T00:00', '02-29T00:00'],
  ])
  expect(take('0 9 * JAN Mon-Fri', 'UTC', { from: '2026-01-01T00:00Z', until: '2026-01-07T00:00Z' })).toEqual([
    ...['01-01T09:00', '01-02T09:00', '01-05T09:00', '01-06T09:00'],
  ])
  expect(take('0 0 3 1 0', 'UTC', { from: '2026-01-01T00:00Z', until: '2026-01-07T00:00Z' })).toEqual([
    ...['01-03T00:00', '01-04T00:00'],
  ])
})

/** By the definition: walks through the minutes of local time that clocks show or skip. */
function slowly(named: ReadonlySet<string>, timeZone: string, [from, until]: readonly [number, number]): number[] {
  const due = new Set<number>()
  const seen = new Set<number>()
  for (let at = from - 4 * 60 * MINUTE; at < until; at += MINUTE) {
    const local = at + offsetAt(timeZone, at)
    const previous = at - MINUTE + offsetAt(timeZone, at - MINUTE)
    for (let time = Math.min(previous + MINUTE, local); time <= local; time += MINUTE) {
      if (seen.has(time) || !named.has(new Date(time).toISOString().slice(11, 16))) continue
      seen.add(time)
      if (at > from) due.add(at)
    }
  }
  return [...due]
}

const DAY = 1440 * MINUTE
const year = Array.from({ length: 365 }, (_, day) => Date.UTC(2026, 0, 1) + day * DAY)
const HOURS = [0, 1, 2, 3, 14, 23]
const MINUTES = [0, 15, 20, 30, 45, 59]
const twoDigits = (number: number): string => String(number).padStart(2, '0')

// Half an hour in Lord Howe, at midnight in Cairo, in the southern summer, far from UTC on both sides.
test.each([
  ...[
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'Pacific/Chatham',
    'America/St_Johns',
  ],
])('around the changes of clocks in %s, moments are those of the definition', (timeZone) => {
  const changes = year.filter((day) => offsetAt(timeZone, day) !== offsetAt(timeZone, day + DAY))
  expect(changes).toHaveLength(2)
  const named = new Set(HOURS.flatMap((hour) => MINUTES.map((minute) => `${twoDigits(hour)}:${twoDigits(minute)}`)))
  const next = momentsOf({ cron: `${MINUTES} ${HOURS} * * *`, timeZone })
  for (const day of changes) {
    const [from, until] = [day - 12 * 60 * MINUTE, day + 2 * DAY]
    const found: number[] = []
    for (let at = next(from); at !== undefined && at < until; at = next(at)) found.push(at)
    expect(found).toEqual(slowly(named, timeZone, [from, until]))
  }
})
