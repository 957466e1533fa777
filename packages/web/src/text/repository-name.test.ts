import { expect, test } from 'vitest'
import { nameOfRepository } from './repository-name.ts'

test.each([
  ['git@github.com:tidewater/gift-cards.git', 'gift-cards'],
  ['ssh://git@host:2222/team/book.shop.git/', 'book.shop'],
  ['host:shop', 'shop'],
  ['', ''],
])('%j becomes %j', (address, name) => {
  expect(nameOfRepository(address)).toBe(name)
})
