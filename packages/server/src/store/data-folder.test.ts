import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Child, startChild } from '../../test/processes/child.ts'
import { CannotStart } from '../domain/cannot-start.ts'
import { openDataFolder } from './data-folder.ts'

let parent: string
let path: string
let children: Child[]

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'shipway-folder-'))
  path = join(parent, 'deep', 'data')
  children = []
})

afterEach(async () => {
  for (const child of children) await child.kill()
  rmSync(parent, { recursive: true })
})

function hold(): Child {
  const child = startChild('hold-data-folder.ts', path)
  children.push(child)
  return child
}

test('a new data folder can be read by its owner alone', () => {
  const folder = openDataFolder(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(path, 'shipway.pid'), 'utf8')).toBe(`${process.pid}\n`)
  folder.close()
})

test('a second process is refused with a sentence that names the first', async () => {
  const first = hold()
  expect(await first.firstLine).toBe('held')
  const sentence =
    `The data folder ${path} is in use by process ${first.pid}. ` +
    'Stop it first, or choose another folder with SHIPWAY_DATA.'
  expect(await hold().firstLine).toBe(sentence)
  expect(() => openDataFolder(path)).toThrow(new CannotStart(sentence))
})

test('the folder is free again after its process was killed', async () => {
  const first = hold()
  expect(await first.firstLine).toBe('held')
  await first.kill()
  openDataFolder(path).close()
})

test('of processes that start at once exactly one wins', async () => {
  const lines = await Promise.all([hold(), hold(), hold(), hold(), hold()].map((child) => child.firstLine))
  expect(lines.filter((line) => line === 'held')).toHaveLength(1)
  expect(lines.filter((line) => line.includes('is in use'))).toHaveLength(4)
})

test('the same process is refused too until it closes the folder', () => {
  const folder = openDataFolder(path)
  expect(() => openDataFolder(path)).toThrow(CannotStart)
  folder.close()
  const again = openDataFolder(path)
  folder.close()
  expect(() => openDataFolder(path)).toThrow(CannotStart)
  again.close()
})
