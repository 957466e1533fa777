import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createBox } from './box.ts'
import { Secret } from './secret.ts'
import { type CanaryRow, verifyMasterKey, WrongMasterKey } from './verify-master-key.ts'

const masterKey = () => new Secret<Uint8Array>(randomBytes(32))

const memoryRow = (value?: string): CanaryRow & { value: string | undefined } => ({
  value,
  async get() {
    return this.value
  },
  async set(text) {
    this.value = text
  },
})

test('the first start writes a sealed text and the next one leaves it alone', async () => {
  const key = masterKey()
  const row = memoryRow()
  await verifyMasterKey(createBox(key), row)
  const written = row.value
  expect(written).toMatch(/^v1\./)
  await verifyMasterKey(createBox(key), row)
  expect(row.value).toBe(written)
})

test('a start with another key is refused with what to do, and changes nothing', async () => {
  const row = memoryRow()
  await verifyMasterKey(createBox(masterKey()), row)
  const written = row.value
  const start = verifyMasterKey(createBox(masterKey()), row)
  await expect(start).rejects.toThrow(WrongMasterKey)
  await expect(start).rejects.toThrow(/not the one this database was sealed with.*SHIPWAY_MASTER_KEY/)
  expect(row.value).toBe(written)
})

test('a key that replaced the sealing one passes when the older one is given too', async () => {
  const [older, current] = [masterKey(), masterKey()]
  const row = memoryRow()
  await verifyMasterKey(createBox(older), row)
  await verifyMasterKey(createBox(current, [older]), row)
  await expect(verifyMasterKey(createBox(current), row)).rejects.toThrow(WrongMasterKey)
})

test('a damaged text and one sealed for another place are refused', async () => {
  const box = createBox(masterKey())
  const elsewhere = box.seal('shipway canary', { table: 'settings', column: 'value', row: 'other' })
  const otherText = box.seal('something', { table: 'settings', column: 'value', row: 'canary' })
  for (const value of ['', 'nonsense', elsewhere, otherText]) {
    await expect(verifyMasterKey(box, memoryRow(value))).rejects.toThrow(WrongMasterKey)
  }
})

test('of two first starts with different keys the one that came second is refused', async () => {
  const winner = createBox(masterKey())
  const kept = memoryRow()
  await verifyMasterKey(winner, kept)
  let reads = 0
  const row: CanaryRow = {
    get: async () => (reads++ === 0 ? undefined : kept.value),
    set: async () => undefined,
  }
  await expect(verifyMasterKey(createBox(masterKey()), row)).rejects.toThrow(WrongMasterKey)
})

test('a database that cannot be read is not taken for a wrong key', async () => {
  const row: CanaryRow = { get: () => Promise.reject(new Error('connection lost')), set: async () => undefined }
  await expect(verifyMasterKey(createBox(masterKey()), row)).rejects.toThrow('connection lost')
})
