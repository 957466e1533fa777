// Files of projects on the platform's disk: listed, and removed unless a process uses them.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSource, type Source } from './source.ts'

let folder: string
let source: Source

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'forget-')), 'mirrors')
  source = createSource({ folder, allowedNetworks: [] })
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const makeMirror = (projectId: number): string => {
  const mirror = join(folder, `${projectId}.git`)
  execFileSync('git', ['init', '--quiet', '--bare', mirror])
  return mirror
}

test('a mirror is listed until it is removed completely', async () => {
  expect(await source.listMirrors()).toEqual([])
  makeMirror(7)
  mkdirSync(join(folder, 'not-ours.git'))
  // Left by a removal that died half-way.
  writeFileSync(join(folder, '12.git.lock'), '')
  expect([...(await source.listMirrors())].sort((a, b) => a - b)).toEqual([7, 12])
  for (const id of [7, 12]) await source.forget(id)
  expect(await source.listMirrors()).toEqual([])
  expect(readdirSync(folder)).toEqual(['not-ours.git'])
})

test('a mirror that another process is changing stays', async () => {
  const mirror = makeMirror(7)
  const holder = spawn('flock', ['--no-fork', `${mirror}.lock`, 'sh', '-c', 'echo held; exec cat'])
  const ended = once(holder, 'exit')
  await once(holder.stdout, 'data')
  await source.forget(7)
  expect(readdirSync(mirror)).toContain('HEAD')
  holder.stdin.end()
  await ended
  await source.forget(7)
  expect(existsSync(mirror)).toBe(false)
})

test('removes keys of a killed platform, and keeps those of a running call', async () => {
  const connections = join(folder, 'connections')
  await source.sweepKeys()
  for (const name of ['connection-old', 'connection-young']) mkdirSync(join(connections, name))
  const hoursAgo = Date.now() / 1000 - 2 * 3600
  utimesSync(join(connections, 'connection-old'), hoursAgo, hoursAgo)
  await source.sweepKeys()
  expect(readdirSync(connections)).toEqual(['connection-young'])
})
