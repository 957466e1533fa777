import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { chooseFile } from './file-target.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-target-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('-o names a file, which is replaced, or a folder', async () => {
  writeFileSync(join(folder, 'old'), '')
  expect(await chooseFile(folder, 'old', 'name')).toBe(join(folder, 'old'))
  expect(await chooseFile(folder, 'new', 'name')).toBe(join(folder, 'new'))
  expect(await chooseFile(tmpdir(), folder, 'name')).toBe(join(folder, 'name'))
})

test('a device is not replaced by a file', async () => {
  await expect(chooseFile(folder, devNull, 'name')).rejects.toThrow(`${devNull} is not a file`)
})
