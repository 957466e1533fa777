import { expect, test } from 'vitest'
import { InFlight } from './in-flight.ts'

test('no more is under way than there is room for, in all and for each key', () => {
  const bytes = new InFlight({ inAll: 10, perKey: 6 })
  expect([bytes.take('a', 6), bytes.take('a', 1), bytes.take('b', 5), bytes.take('b', 4)]).toEqual([
    true,
    false,
    false,
    true,
  ])
  bytes.giveBack('a', 6)
  expect([bytes.take('b', 2), bytes.take('c', 4), bytes.take('d', 1)]).toEqual([true, true, false])
})
