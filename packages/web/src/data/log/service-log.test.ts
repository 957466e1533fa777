import { beforeEach, expect, test, vi } from 'vitest'
import { LineStore } from './line-store.ts'
import { ServiceLog } from './service-log.ts'

// Watchers are called before the next paint, of which there is none here.
beforeEach(() => void vi.stubGlobal('requestAnimationFrame', () => 0))

const topic = 'environment:7:output'
const append = (second: number, text: string, service = 'web') => ({
  type: 'event' as const,
  topic,
  seq: second * 1_000_000,
  event: 'output.append' as const,
  at: '2026-01-01T00:00:00Z',
  data: { environment_id: 7, service, time: timeOf(second), text },
})
const timeOf = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000001Z`
const textsOf = ({ store }: ServiceLog) =>
  Array.from({ length: store.count - store.dropped }, (_, index) => store.textAt(store.dropped + index))

test('keeps service and time of each line, and ends colors with the line', () => {
  const log = new ServiceLog()
  log.handleUpdate(append(1, '\u001b[31mred'))
  log.handleUpdate(append(2, 'plain', 'worker'))
  expect(textsOf(log)).toEqual(['red', 'plain'])
  expect(log.store.lineAt(1)).toBe('plain')
  expect(log.originOf(1)).toEqual({ service: 'worker', time: timeOf(2) })
})

test('dropped lines take their service and time with them', () => {
  const log = new ServiceLog(new LineStore({ characters: 1_000_000, lines: 10 }))
  for (let second = 0; second < 25; second++) log.handleUpdate(append(second, `line ${second}`))
  const { store } = log
  expect(store.dropped).toBeGreaterThan(0)
  for (let line = store.dropped; line < store.count; line++) {
    expect(store.textAt(line)).toBe(`line ${line}`)
    expect(log.originOf(line).time).toBe(timeOf(line))
  }
})

test('finds the lines of a time, also those that come later', () => {
  const log = new ServiceLog()
  log.handleUpdate(append(1, 'one'))
  expect(log.linesAt(timeOf(2))).toBeUndefined()
  log.handleUpdate(append(2, 'a long line'))
  log.handleUpdate(append(2, 'in two pieces'))
  log.handleUpdate(append(3, 'three'))
  expect(log.linesAt(timeOf(2))).toEqual({ first: 2, last: 3 })
  expect(log.linesAt(timeOf(1))).toEqual({ first: 1, last: 1 })
})

test('says where lines were skipped, why it was refused, and when it ends', () => {
  const log = new ServiceLog()
  log.handleUpdate({ type: 'subscribed', id: '1', topic, epoch: 'e', seq: 0, recovered: false })
  expect(log.state).toBe('reading')
  log.handleUpdate({ ...append(8, ''), event: 'output.current' as const, data: { environment_id: 7 } })
  expect(log.state).toBe('live')
  log.handleUpdate({ type: 'lagged', topic, seq: 1_000_000, to: 2_000_000 })
  expect(textsOf(log)).toEqual([expect.stringContaining('Lines were skipped here')])
  expect(log.gaps).toBe(1)
  const end = { ...append(9, ''), event: 'output.end' as const, data: { environment_id: 7 } }
  log.handleUpdate(end)
  expect(log.state).toBe('ended')
  log.handleUpdate({ type: 'error', id: '2', topic, code: 'too_many', detail: 'Close one' })
  expect(log).toMatchObject({ state: 'refused', refusal: { detail: 'Close one' } })
  log.handleUpdate({ type: 'unsubscribed', id: null, topic })
  expect(log.state).toBe('gone')
})
