import { expect, test } from 'vitest'
import { LineStore } from './line-store.ts'
import { LogSearch } from './search.ts'

function storeOf(text: string): LineStore {
  const store = new LineStore()
  store.append(text, new TextEncoder().encode(text).length)
  return store
}

test('matches ignore case and colors', () => {
  const search = new LogSearch('stripe')
  expect(search.advance(storeOf('STRIPE and Stripe\nnone\n\u001b[31mstr\u001b[0mipe_KEY\n'))).toBe(false)
  expect(search.hits).toEqual([
    { line: 0, from: 0, to: 6 },
    { line: 0, from: 11, to: 17 },
    { line: 2, from: 0, to: 6 },
  ])
})

test('the search term is text, not a pattern', () => {
  const search = new LogSearch('[a.b]/(c)')
  search.advance(storeOf('axb\n[a.b]/(c)\n'))
  expect(search.hits.map(({ line }) => line)).toEqual([1])
})

test('a line that grows is searched again', () => {
  const store = storeOf('one\nca')
  const search = new LogSearch('cat')
  search.advance(store)
  expect(search.hits).toEqual([])
  store.append('t cat\n', store.bytes + 6)
  search.advance(store)
  store.append('cat', store.bytes + 3)
  search.advance(store)
  search.advance(store)
  expect(search.hits.map(({ line }) => line)).toEqual([1, 1, 2])
})

test('a long log is searched slice by slice', () => {
  const store = storeOf('x\n'.repeat(50_000))
  const search = new LogSearch('y')
  expect([search.advance(store), search.advance(store), search.advance(store)]).toEqual([true, true, false])
})
