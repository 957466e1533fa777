import { expect, test } from 'vitest'
import { isSameRepository } from './same-repository.ts'

test.each([
  ['git@github.com:books/shop.git', 'https://github.com/books/shop', true],
  ['ssh://git@git.example.com:2222/books/shop.git', 'https://GIT.example.com/Books/Shop.git/', true],
  ['ssh://git@git.example.com/books/shop.git', 'git.example.com:books/shop', true],
  ['git@github.com:books/shop.git', 'git@gitlab.com:books/shop.git', false],
  ['git@github.com:books/shop.git', 'git@github.com:books/shop-two.git', false],
  ['/srv/git/shop.git', '/srv/git/shop.git', false],
  ['', '', false],
])('%j and %j: %s', (one, other, isSame) => {
  expect(isSameRepository(one, other)).toBe(isSame)
})
