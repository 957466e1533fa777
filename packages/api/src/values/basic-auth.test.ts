import { expect, test } from 'vitest'
import { BasicAuth } from './basic-auth.ts'
import { codeOf } from './rule.ts'

const plain = ['$' + '{X}', '$apr1$x', '`id`', 'é', 'with space', '"\'\\']

test.each([...plain, 'x'.repeat(128), '😀'.repeat(128)])('the user name %s is kept as it is', (username) => {
  expect(BasicAuth.parse({ username, password: 'p' })).toEqual({ username, password: 'p' })
})

test.each([...plain, 'a:b', 'x'.repeat(72), 'é'.repeat(36)])('the password %s is kept as it is', (password) => {
  expect(BasicAuth.parse({ username: 'u', password })).toEqual({ username: 'u', password })
})

test.each([
  ['', 'required'],
  ['a\nb', 'invalid_username'],
  ['a\0b', 'invalid_username'],
  ['a\u007f', 'invalid_username'],
  ['user with : colon', 'invalid_username'],
  ['\ud800', 'invalid_username'],
  ['x'.repeat(129), 'too_long'],
])('the user name %j is refused with %s', (username, code) => {
  expect(BasicAuth.safeParse({ username, password: 'p' }).error?.issues.map(codeOf)).toEqual([code])
})

test.each([
  ['', 'required'],
  ['a\nb', 'invalid_password'],
  ['a\0b', 'invalid_password'],
  ['\ud800', 'invalid_password'],
  ['x'.repeat(73), 'too_long'],
  ['é'.repeat(37), 'too_long'],
])('the password %j is refused with %s', (password, code) => {
  expect(BasicAuth.safeParse({ username: 'u', password }).error?.issues.map(codeOf)).toEqual([code])
})

test('a further field is refused', () => {
  const { error } = BasicAuth.safeParse({ username: 'u', password: 'p', hash: 'x' })
  expect(error?.issues.map(codeOf)).toEqual(['unrecognized_keys'])
})
