import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeSocketLock } from './socket-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('one holder at a time for a file, and other files have locks of their own', async () => {
  const file = join(folder, 'credentials.lock')
  const first = await takeSocketLock(file)
  const other = await takeSocketLock(join(folder, 'other.lock'))
  expect(first).toBeDefined()
  expect(other).toBeDefined()
  expect(await takeSocketLock(file)).toBeUndefined()
  first?.close()
  const next = await takeSocketLock(file)
  expect(next).toBeDefined()
  next?.close()
  other?.close()
})
