// The free disk of a server is checked before a build, and once more after images were pruned.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalHost } from '../../../../../test/processes/local-host.ts'
import { dockerScript } from '../../../../commands/docker/script.ts'
import { prefetch } from '../../../../deployment/prefetch.ts'
import type { StepIo } from '../../../../deployment/run.ts'
import { type Host, localGit } from '../../../../remote/host.ts'
import { checkDisk, readFree } from './check-disk.ts'

/** A server on which so many MiB are free, one reading after the other; the folder lies on a larger disk. */
function check(free: readonly number[], least: number) {
  const readings = [...free]
  const said: string[] = []
  let freed = 0
  const host: Host = {
    name: 'server',
    git: localGit,
    run: async () => {
      const stdout = Buffer.from(`${(readings.shift() ?? 0) * 1024}\n${10_000 * 1024}\n`)
      return { exitCode: 0, stdout, stderr: Buffer.alloc(0) }
    },
  }
  const io: StepIo = {
    host,
    signal: new AbortController().signal,
    say: (line) => said.push(line),
    warn: () => undefined,
    durably: () => Promise.reject(new Error('There is nothing to do on the server')),
  }
  const context = { freeDisk: async () => void freed++ }
  const ended = checkDisk(io, context, {
    folder: '/folder',
    leastMebibytes: least,
    freeDisk: prefetch(() => readFree(host, '/folder')),
  })
  return { ended, said, freed: () => freed }
}

test('enough free disk is only reported', async () => {
  const { ended, said, freed } = check([3000], 2048)
  await ended
  expect(said).toEqual(['3000 MiB are free'])
  expect(freed()).toBe(0)
})

test('too little is freed once before it is too little', async () => {
  const { ended, said, freed } = check([100, 2500], 2048)
  await ended
  expect(freed()).toBe(1)
  expect(said.at(-1)).toBe('2500 MiB are free')
})

test('what stays too little is refused with the numbers after that', async () => {
  const { ended, freed } = check([100, 200], 2048)
  await expect(ended).rejects.toThrow('server has 200 MiB of disk left, and a build needs 2048 MiB')
  expect(freed()).toBe(1)
})

test('a folder that is not there is reported, and not left out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-disk-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'docker-root'), '/\n')
  const host = createLocalHost('this machine')
  expect(await readFree(host, folder)).toBeGreaterThan(0)
  const missing = dockerScript('check-disk', join(folder, 'missing'))
  // A docker that knows its folder, as there is none that was asked before.
  writeFileSync(join(folder, 'docker'), '#!/bin/sh\necho /\n', { mode: 0o700 })
  const { exitCode, stdout } = await host.run(['env', `PATH=${folder}:/usr/bin:/bin`, ...missing])
  expect([exitCode === 0, stdout.toString()]).toEqual([false, expect.stringMatching(/^(\d+\n)?$/)])
})
