import { expect, test } from 'vitest'
import { refuseOlder, refuseSkipped } from './release-order.ts'

test.each([
  ['1.16.0', '1.15.0'],
  ['1.15.0+later', '1.15.0+first'],
])('%s may follow %s', (version, running) => {
  expect(() => refuseOlder({ version, running })).not.toThrow()
})

test('an older release is refused, however well it is signed', () => {
  expect(() => refuseOlder({ version: '1.14.3', running: '1.15.0' })).toThrow('pass --older')
})

test('a release whose tables the running one does not work on is refused, and the one between is named', () => {
  const change = { version: '1.18.0', running: '1.15.2', oldest: '1.17.0' }
  expect(() => refuseSkipped(change)).toThrow('Upgrade to 1.17.0 first')
  expect(() => refuseSkipped({ ...change, running: '1.17.0' })).not.toThrow()
  expect(() => refuseSkipped({ ...change, running: '1.17.4+build' })).not.toThrow()
})

test('a release that says nothing is refused, unless it is older: then the tables decide', () => {
  expect(() => refuseSkipped({ version: '1.16.0', running: '1.15.0', oldest: undefined })).toThrow('does not say')
  expect(() => refuseSkipped({ version: '1.14.0', running: '1.15.0', oldest: undefined })).not.toThrow()
})
