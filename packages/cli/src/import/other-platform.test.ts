import { expect, test } from 'vitest'
import { hostsOf } from './other-platform.ts'

test.each([
  ['https://Shop.example.com/path', 'shop.example.com'],
  ['shop.example.com:8080', 'shop.example.com'],
  ['https://bücher.example.com', 'xn--bcher-kva.example.com'],
  ['*.example.com', '*.example.com'],
  ['*.bücher.example.com', '*.bücher.example.com'],
])('the domain of %s is %s', (text, host) => {
  expect(hostsOf([text])).toEqual([host])
})

test('what is no host name is no domain', () => {
  expect(hostsOf(['', 'localhost', 'https://', 'a b.example.com', '\u001b[31m.example.com'])).toEqual([])
})
