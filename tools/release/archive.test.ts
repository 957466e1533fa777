import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { packFolder } from './archive.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-archive-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function fill(name: string, names: readonly string[]): string {
  const filled = join(folder, name)
  for (const each of names) {
    const file = join(filled, each)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, `this is ${each}\n`)
    if (each.endsWith('run')) chmodSync(file, 0o700)
  }
  return filled
}

const LONG = `${'a-folder-with-a-long-name/'.repeat(4)}${'b'.repeat(90)}.txt`
const NAMES = ['run', 'one.txt', 'inner/two.txt', LONG, 'é.txt']

test('tar unpacks it: contents, modes and long names', () => {
  const archive = join(folder, 'packed.tar.gz')
  writeFileSync(archive, packFolder({ folder: fill('some', NAMES), name: 'shipway-1.0.0', time: 1_000_000_000 }))
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  for (const name of NAMES) expect(readFileSync(join(folder, 'shipway-1.0.0', name), 'utf8')).toBe(`this is ${name}\n`)
  const list = execFileSync('tar', ['-tvzf', archive], { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } })
  expect(list).toMatch(/^-rwxr-xr-x root\/root +\d+ 2001-09-09 01:46 shipway-1\.0\.0\/run$/m)
  expect(list).toMatch(/^-rw-r--r-- .*\/one\.txt$/m)
})

test('its bytes depend on names and contents alone', () => {
  const [one, other] = [fill('some', NAMES), fill('other', NAMES.toReversed())]
  utimesSync(join(other, 'one.txt'), 1, 1)
  const pack = (from: string): Buffer => packFolder({ folder: from, name: 'shipway', time: 0 })
  expect(pack(one).equals(pack(other))).toBe(true)
  writeFileSync(join(other, 'one.txt'), 'another')
  expect(pack(one).equals(pack(other))).toBe(false)
})

test('a link is refused', () => {
  const some = fill('some', ['one.txt'])
  symlinkSync('one.txt', join(some, 'link'))
  expect(() => packFolder({ folder: some, name: 'shipway', time: 0 })).toThrow('is no file')
})
