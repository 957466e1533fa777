import { expect, test } from 'vitest'
import { isSamePlatform } from './instance.ts'

test.each([
  ['https://ship.example.com', 'https://ship.example.com/device', true],
  ['http://127.0.0.1:7878', 'http://localhost:7878/device', true],
  ['http://localhost:7878', 'http://[::1]:7878/device', true],
  ['http://127.0.0.1:7878', 'http://127.0.0.1:7879/device', false],
  ['http://127.0.0.1:7878', 'https://localhost:7878/device', false],
  ['http://127.0.0.1:7878', 'http://pr-7.localhost:7878/device', false],
  ['https://ship.example.com', 'https://ship.example.com:8443/device', false],
  ['https://evil.example.com', 'https://ship.example.com/device', false],
  ['https://evil.example.com', 'javascript:alert(1)', false],
])('%s and %s are one platform: %s', (instance, address, isSame) => {
  expect(isSamePlatform(instance, new URL(address))).toBe(isSame)
})
