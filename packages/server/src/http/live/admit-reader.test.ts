// Who gets one of few places, and who gives one up for it.
import { expect, test } from 'vitest'
import { findAdmission, type ReaderOwner } from './admit-reader.ts'

const limits = { mostReaders: 8, mostPerUser: 4 }
const of = (userId: number, ...organizationIds: number[]): ReaderOwner => ({ userId, organizationIds })
const NONE = 0
const held = (...holders: readonly ReaderOwner[]) => holders.map((holder, index) => [index, holder] as const)
const times = (count: number, holder: ReaderOwner) => Array.from({ length: count }, () => holder)

const FULL = { isFree: false, reason: 'full' }

test.each([
  { what: 'there is room', by: times(7, of(1, 1)), newcomer: of(2, 1), admission: { isFree: true } },
  {
    what: 'a user has as many as one may have, though there is room',
    by: times(4, of(1, 1)),
    newcomer: of(1, 1),
    admission: { isFree: false, reason: 'user' },
  },
  {
    what: 'the largest organization gives way, and there the largest user with the oldest connection',
    by: [of(9, 2), of(1, 1), ...times(3, of(2, 1)), of(1, 1), of(3, 1), of(4, 1)],
    newcomer: of(8, 3),
    admission: { isFree: true, displaces: 2 },
  },
  {
    what: 'within one organization the largest user gives way',
    by: [...times(2, of(2, 1)), ...times(4, of(1, 1)), ...times(2, of(3, 1))],
    newcomer: of(4, 1),
    admission: { isFree: true, displaces: 2 },
  },
  {
    what: 'a late reader displaces no reader that has as few',
    by: [...times(4, of(1, 1)), ...times(4, of(2, 2))],
    newcomer: of(3, 1),
    admission: { isFree: true, displaces: 0 },
  },
  {
    what: 'who was displaced does not displace another in turn',
    by: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => of(id, 1)),
    newcomer: of(9, 1),
    admission: FULL,
  },
  {
    what: 'a user of two organizations counts by the smaller one',
    by: [...times(4, of(1, 1)), ...times(4, of(2, 1))],
    newcomer: of(3, 1, 2),
    admission: { isFree: true, displaces: 0 },
  },
  {
    what: 'users without an organization are one group',
    by: [1, 2, 3, 4, 5, 6, 7, 8].map((id) => of(id, NONE)),
    newcomer: of(9, NONE),
    admission: FULL,
  },
])('$what', ({ by, newcomer, admission }) => {
  expect(findAdmission(held(...by), newcomer, limits)).toEqual(admission)
})

test('displacing ends once the shares are equal, whichever readers come and go', () => {
  const crowd = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((user) => of(user, user % 2 ? 1 : user))
  let readers: (readonly [number, ReaderOwner])[] = []
  let name = 0
  let displaced = 0
  // Everybody whose connection was closed comes back, again and again.
  for (let round = 0; round < 100; round++) {
    displaced = 0
    for (const holder of crowd) {
      const admission = findAdmission(readers, holder, limits)
      if (!admission.isFree) continue
      if (admission.displaces !== undefined) displaced++
      readers = [...readers.filter(([reader]) => reader !== admission.displaces), [name++, holder]]
    }
  }
  expect(displaced).toBe(0)
})
