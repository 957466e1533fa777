import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ShownTransactions } from './shown-transactions.ts'

const SERVER = 'since noon'

test('another snapshot of the same transactions is the same version', () => {
  const shown = new ShownTransactions()
  const version = shown.versionAt('10:12:10', SERVER)
  expect(shown.versionAt('10:12:10', SERVER)).toBe(version)
  // One has begun that has not ended.
  expect(shown.versionAt('10:13:10,12', SERVER)).toBe(version)
})

test('one that ends makes another version, unless it changed no record', () => {
  const shown = new ShownTransactions()
  const version = shown.versionAt('10:12:10', SERVER)
  shown.noteUnrecorded(10)
  expect(shown.versionAt('12:12:', SERVER)).toBe(version)
  expect(shown.versionAt('13:13:', SERVER)).not.toBe(version)
})

test('what lies far ahead is another version, however many there are', () => {
  const shown = new ShownTransactions()
  const version = shown.versionAt('1:1:', SERVER)
  expect(shown.versionAt('9000000000000:9000000000000:', SERVER)).not.toBe(version)
})

describe('a number that is given once more is another transaction', () => {
  test('on another server', () => {
    const shown = new ShownTransactions()
    const before = shown.versionAt('10:12:10', SERVER)
    shown.noteUnrecorded(11)
    const after = shown.versionAt('10:11:10', 'since one')
    expect(after).not.toBe(before)
    expect(shown.versionAt('10:12:10', 'since one')).not.toBe(after)
  })

  test('by a server that has lost what was not written down, seen while the number is free', () => {
    const shown = new ShownTransactions()
    const before = shown.versionAt('10:12:10', SERVER)
    shown.noteUnrecorded(11)
    const between = shown.versionAt('10:11:10', SERVER)
    expect(between).not.toBe(before)
    expect(shown.versionAt('10:12:10', SERVER)).not.toBe(between)
  })

  test('by such a server that was not looked at meanwhile, but broke its connections', () => {
    const shown = new ShownTransactions()
    const before = shown.versionAt('12:12:', SERVER)
    shown.forget()
    expect(shown.versionAt('12:12:', SERVER)).not.toBe(before)
  })
})

/** What happens at a server: a transaction begins, one ends, one that changed no record is noted after its end, somebody looks. */
const TransactionEvent = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), isRecorded: fc.boolean() }),
  fc.record({ kind: fc.constant('end' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('note' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('look' as const) }),
)

test('two looks give the same version only where no record has changed between them, and always where all is noted', () => {
  fc.assert(
    fc.property(fc.array(TransactionEvent, { maxLength: 60 }), (events) => {
      const shown = new ShownTransactions()
      const recorded = new Map<number, boolean>()
      const underWay = new Set<number>()
      const unnoted: number[] = []
      let next = 100
      let hasChanged = true
      let last: string | undefined
      for (const event of events) {
        if (event.kind === 'begin') {
          recorded.set(next, event.isRecorded)
          underWay.add(next++)
        } else if (event.kind === 'end') {
          const ended = [...underWay][event.which % (underWay.size || 1)]
          if (ended === undefined) continue
          underWay.delete(ended)
          if (recorded.get(ended)) hasChanged = true
          else unnoted.push(ended)
        } else if (event.kind === 'note') {
          const [noted] = unnoted.splice(event.which % (unnoted.length || 1), 1)
          if (noted !== undefined) shown.noteUnrecorded(noted)
        } else {
          const version = shown.versionAt(`${Math.min(next, ...underWay)}:${next}:${[...underWay].join(',')}`, SERVER)
          if (hasChanged) expect(version).not.toBe(last)
          else if (unnoted.length === 0) expect(version).toBe(last)
          // Seen before it was noted, it has made another version already.
          unnoted.length = 0
          hasChanged = false
          last = version
        }
      }
    }),
    { numRuns: 500 },
  )
})
