import { expect, test } from 'vitest'
import { hoursOfLifetime, Lifetime, lifetimeOfHours } from './lifetime.ts'

test.each([
  ['1h', 1, '1h'],
  ['72h', 72, '3d'],
  ['25h', 25, '25h'],
  ['7d', 168, '7d'],
  ['365d', 8760, '365d'],
  ['8760h', 8760, '365d'],
])('%s is %i hours', (text, hours, written) => {
  expect([Lifetime.parse(text), hoursOfLifetime(text), lifetimeOfHours(hours)]).toEqual([text, hours, written])
})

test.each([
  '',
  '0h',
  '0d',
  '-1d',
  '1',
  'h',
  '1.5h',
  '1m',
  '07d',
  '366d',
  '8761h',
  '9999d',
  '99999h',
  '1e3h',
  ' 7d',
  '7d\n',
  '7 d',
  '٧d',
])('%j is refused', (text) => {
  expect(Lifetime.safeParse(text).success).toBe(false)
})
