import { expect, test } from 'vitest'
import { findEntries, piecesOf } from './find-entries.ts'

const entry = (name: string, group = 'Environments', disabledReason?: string) => ({ name, group, disabledReason })
const entries = [
  entry('Deploy staging', 'This environment'),
  entry('bookshop / staging'),
  entry('catalog-api / staging'),
  entry('bookshop / pr-214 Take payments with Stripe'),
  entry('storefront', 'Projects'),
  entry('Deploy pr-231', 'This environment', 'A deployment is running'),
]
const names = (typed: string) => findEntries(entries, typed).map(({ name }) => name)

test('without input all entries are shown by group, disabled ones last', () => {
  expect(names('')).toEqual([
    'Deploy staging',
    'bookshop / staging',
    'catalog-api / staging',
    'bookshop / pr-214 Take payments with Stripe',
    'storefront',
    'Deploy pr-231',
  ])
})

test('every word must match, in any order', () => {
  expect(names('stag book')).toEqual(['bookshop / staging'])
  expect(names('st')).toEqual([
    'Deploy staging',
    'bookshop / staging',
    'catalog-api / staging',
    'bookshop / pr-214 Take payments with Stripe',
    'storefront',
  ])
  expect(names('nothing of that')).toEqual([])
})

test('regular expression characters are plain text', () => {
  expect(names('(.*)')).toEqual([])
  expect(piecesOf('a (b) c', '(b)')).toEqual([
    { text: 'a ', isTyped: false },
    { text: '(b)', isTyped: true },
    { text: ' c', isTyped: false },
  ])
})

test('typed words are marked in the name', () => {
  expect(piecesOf('Deploy staging', 'stag')).toEqual([
    { text: 'Deploy ', isTyped: false },
    { text: 'stag', isTyped: true },
    { text: 'ing', isTyped: false },
  ])
})
