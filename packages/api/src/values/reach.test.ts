// From where addresses of the platform can be reached.
import { expect, test } from 'vitest'
import { reachOf } from './reach.ts'

test.each([
  ['http://localhost:7878', 'this machine'],
  ['http://ship.localhost', 'this machine'],
  ['http://127.0.0.1:7878', 'this machine'],
  ['http://127.9.9.9', 'this machine'],
  ['http://0.0.0.0:7878', 'this machine'],
  ['http://[::1]:7878', 'this machine'],
  ['http://[::ffff:127.0.0.1]', 'this machine'],
  ['no address', 'this machine'],
  ['http://192.168.1.5:7878', 'its network'],
  ['http://10.0.0.7', 'its network'],
  ['http://172.20.1.1', 'its network'],
  ['http://[fd00::7]', 'its network'],
  ['http://harbor:7878', 'its network'],
  ['http://ship.lan', 'its network'],
  ['http://ship.internal', 'its network'],
  ['https://ship.example.com', 'everywhere'],
  ['https://1270.example.com', 'everywhere'],
  ['http://8.8.8.8:7878', 'everywhere'],
] as const)('%s is reached from %s', (url, reach) => {
  expect(reachOf(url)).toBe(reach)
})
