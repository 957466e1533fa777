import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createBox } from './box.ts'
import { isDeviceOf, makeDevice, readDevice } from './known-device.ts'
import { Secret } from './secret.ts'

const box = createBox(new Secret<Uint8Array>(randomBytes(32)))
const device = makeDevice(box, 'ada@example.com').reveal()

test('a device is known for the account that it was made for, and for no other', () => {
  const known = readDevice(box, device)
  expect(known && isDeviceOf(box, known, 'ada@example.com')).toBe(true)
  expect(known && isDeviceOf(box, known, 'eve@example.com')).toBe(false)
})

test('two devices of one account are two, and do not contain the e-mail', () => {
  const other = makeDevice(box, 'ada@example.com').reveal()
  expect(readDevice(box, other)?.id).not.toBe(readDevice(box, device)?.id)
  expect(device).not.toContain('ada')
})

test('another master key knows none of them', () => {
  expect(readDevice(createBox(new Secret<Uint8Array>(randomBytes(32))), device)).toBeUndefined()
})

test('nothing of it can be altered or exchanged', () => {
  const [id, account, seal] = makeDevice(box, 'eve@example.com').reveal().slice('shw_device_'.length).split('.')
  const [, ownAccount] = device.split('.')
  for (const text of [`shw_device_${id}.${ownAccount}.${seal}`, `shw_device_${id}.${account}`, `${device}x`, '', 'x']) {
    expect(readDevice(box, text)).toBeUndefined()
  }
})
