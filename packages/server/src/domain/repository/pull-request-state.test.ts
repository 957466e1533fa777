// The state of a pull request after events in whichever order.
import { expect, test } from 'vitest'
import { type KnownState, nextState } from './pull-request-state.ts'
import type { PullRequestAction } from './repository-event.ts'

type TimedAction = readonly [PullRequestAction, number | null]

/** What is known of it after all of these, from the first that was ever heard. */
function after(...events: readonly TimedAction[]): KnownState | undefined {
  return events.reduce<KnownState | undefined>((known, [action, updatedAt]) => {
    const { isNew: _, ...next } = nextState({ action, updatedAt }, known)
    return next
  }, undefined)
}

function ordersOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length < 2) return [all]
  return all.flatMap((one, index) => ordersOf(all.toSpliced(index, 1)).map((rest) => [one, ...rest]))
}

const opened: TimedAction = ['opened', 0]

test.each<[string, string, readonly TimedAction[]]>([
  [
    'closed',
    'a late reopening after the second closing',
    [
      ['closed', 5],
      ['reopened', 6],
      ['closed', 7],
    ],
  ],
  [
    'open',
    'two closings and two reopenings',
    [
      ['closed', 5],
      ['reopened', 6],
      ['closed', 7],
      ['reopened', 8],
    ],
  ],
  [
    'closed',
    'all of it in one second',
    [
      ['closed', 5],
      ['reopened', 5],
      ['closed', 5],
    ],
  ],
  [
    'open',
    'closed and reopened in one second',
    [
      ['closed', 5],
      ['reopened', 5],
    ],
  ],
  [
    'merged',
    'merged in between',
    [
      ['closed', 5],
      ['reopened', 6],
      ['merged', 7],
      ['updated', 6],
    ],
  ],
  [
    'open',
    'news that come late',
    [
      ['updated', 5],
      ['reopened', 9],
      ['closed', 7],
    ],
  ],
])('%s: %s, in any order', (state, _, events) => {
  for (const order of ordersOf(events)) {
    expect(after(opened, ...order)?.state, JSON.stringify(order)).toBe(state)
  }
})

test('one that was closed before is closed after reopened and closed in one second, in any order', () => {
  for (const order of ordersOf<TimedAction>([
    ['reopened', 5],
    ['closed', 5],
  ])) {
    expect(after(opened, ['closed', 2], ...order)?.state).toBe('closed')
  }
})

test('of the same time, an event that ends a pull request is newer than one that only describes it', () => {
  for (const order of ordersOf<TimedAction>([
    ['opened', 5],
    ['closed', 5],
  ]))
    expect(after(...order)?.state).toBe('closed')
})

test('without a time the last to arrive counts', () => {
  expect(after(['opened', null], ['closed', null], ['reopened', null])?.state).toBe('open')
  expect(after(['opened', 9], ['closed', null], ['closed', null], ['reopened', null])).toMatchObject({
    state: 'open',
    hostUpdatedAt: 9,
  })
})

test('the current state at the git host overrules events of the same time, and no newer ones', () => {
  const known = { state: 'closed', hostUpdatedAt: 5, closings: 1 } as const
  const now = { action: 'updated', isCurrent: true } as const
  expect(nextState({ ...now, updatedAt: 5 }, known)).toMatchObject({ state: 'open', isNew: true })
  expect(nextState({ action: 'updated', updatedAt: 5 }, known)).toMatchObject({ state: 'closed', isNew: false })
  expect(nextState({ ...now, updatedAt: 4 }, known)).toMatchObject({ state: 'closed', isNew: false })
  expect(nextState({ ...now, updatedAt: 6 }, { ...known, state: 'merged' })).toMatchObject({ state: 'merged' })
})
