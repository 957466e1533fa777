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

test.each(Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at)))(
  'a typed %j finds and marks itself',
  (character) => {
    const name = `pr${character}214`
    for (const typed of [character, `pr${character}`, `${character}${character}`, `\\${character}`]) {
      expect(
        piecesOf(name, typed)
          .map(({ text }) => text)
          .join(''),
      ).toBe(name)
      expect(() => findEntries([entry(name)], typed)).not.toThrow()
    }
    const isSeparator = /[\s/]/.test(character)
    expect(piecesOf(name, `pr${character}`)).toEqual([
      { text: isSeparator ? 'pr' : `pr${character}`, isTyped: true },
      { text: isSeparator ? `${character}214` : '214', isTyped: false },
    ])
  },
)
