// Which organizations order how many certificates, in which order, and when the others are due.
import { expect, test } from 'vitest'
import { ORDER_WINDOW_MS, sentenceOfShare, shareOrders } from './order-shares.ts'

const NOW = Date.parse('2026-01-02T03:04:05Z')
const orders = (organizationId: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ organizationId, domain: `${organizationId}-${index}` }))
const placed = (organizationId: number, count: number, at = NOW - 1000) =>
  Array.from({ length: count }, () => ({ organizationId, at }))

test('organizations take turns, and who has ordered less is first', () => {
  const { now, later } = shareOrders([...orders(1, 4), ...orders(2, 2)], placed(1, 1), NOW)
  expect(now.map(({ domain }) => domain)).toEqual(['2-0', '1-0', '2-1', '1-1', '1-2', '1-3'])
  expect(later).toEqual([])
})

test('an organization has a share, and what is beyond it is spread over the time after', () => {
  const { now, later, isMore } = shareOrders(orders(1, 200), placed(1, 10), NOW)
  expect([now.length, isMore]).toEqual([20, true])
  expect(later).toHaveLength(150)
  expect(later[0]).toMatchObject({ order: { domain: '1-50' }, at: NOW - 1000 + ORDER_WINDOW_MS, whose: 'organization' })
  expect(later[10]?.at).toBe(NOW + ORDER_WINDOW_MS)
  expect(later[60]?.at).toBe(NOW - 1000 + 2 * ORDER_WINDOW_MS)
  // The others are not touched by it.
  expect(shareOrders([...orders(1, 200), ...orders(2, 1)], placed(1, 60), NOW).now).toEqual(orders(2, 1))
})

test('all organizations together stay below what the authority allows', () => {
  const before = [1, 2, 3, 4].flatMap((id) => placed(id, 59))
  const { now, later } = shareOrders([...orders(5, 3), ...orders(6, 3)], before, NOW)
  expect(now.map(({ domain }) => domain)).toEqual(['5-0', '6-0', '5-1', '6-1'])
  expect(later).toMatchObject([{ whose: 'installation' }, { whose: 'installation' }])
})

test('nothing is due, nothing is placed', () => {
  expect(shareOrders([], placed(1, 500), NOW)).toEqual({ now: [], later: [], isMore: false })
})

test('the sentence says which share is used up and when ordering continues', () => {
  expect(sentenceOfShare({ at: NOW, whose: 'organization' })).toBe(
    'The organization has ordered 60 certificates within three hours, which is its share. This one is ordered at about 2026-01-02 03:04 UTC',
  )
  expect(sentenceOfShare({ at: NOW, whose: 'installation' })).toContain('240 certificates were ordered here')
})
