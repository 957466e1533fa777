// Kept files are read unchanged, or not at all: the real script on real files.
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLocalHost } from '../../../test/processes/local-host.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { CommandStopped, ConnectionLost, type Host, localGit, ServerUnreachable } from '../host.ts'
import { createArtifacts } from './artifacts.ts'

const server = { id: 1, name: 'one' } as ServerAddress
let base: string
let folder: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'shipway-artifacts-'))
  folder = join(base, 'environments/1/artifacts/2')
  mkdirSync(folder, { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const readerOn = (host: Host) =>
  createArtifacts({ hosts: { of: () => host }, folderOf: () => base, deadlineMs: 120_000 })
const stampOf = (name: string): string =>
  execFileSync('stat', ['-c', '%i:%Z', join(folder, name)], { encoding: 'utf8' }).trim()
const kept = (content: string) => {
  writeFileSync(join(folder, '3'), content)
  return { environmentId: 1, taskId: 2, number: 3, size: content.length, stamp: stampOf('3') }
}
const read = (file: ReturnType<typeof kept>, from = 0, length = file.size - from) =>
  readerOn(createLocalHost('one')).readPart(server, file, { from, length })

test('returns the requested parts', async () => {
  const file = kept('0123456789')
  expect((await read(file)).toString()).toBe('0123456789')
  expect((await read(file, 3, 4)).toString()).toBe('3456')
  expect((await read(file, 9, 1)).toString()).toBe('9')
  expect((await read(file, 0, 0)).toString()).toBe('')
  expect((await read(kept(''))).toString()).toBe('')
})

const path = (name: string): string => join(folder, name)
const changes: readonly (readonly [string, (file: ReturnType<typeof kept>) => void])[] = [
  [
    'is a link to a file elsewhere by now',
    () => {
      rmSync(path('3'))
      symlinkSync('/etc/passwd', path('3'))
    },
  ],
  [
    'is a link to the same file by now',
    () => {
      execFileSync('mv', [path('3'), path('4')])
      symlinkSync('4', path('3'))
    },
  ],
  ['has a second name by now', () => linkSync(path('3'), path('4'))],
  [
    'is a pipe by now',
    () => {
      rmSync(path('3'))
      execFileSync('mkfifo', [path('3')])
    },
  ],
  [
    'is a folder by now',
    () => {
      rmSync(path('3'))
      mkdirSync(path('3'))
    },
  ],
  [
    'is a device by now',
    () => {
      rmSync(path('3'))
      symlinkSync('/dev/zero', path('3'))
    },
  ],
  [
    'is another file of the same size',
    () => {
      rmSync(path('3'))
      writeFileSync(path('5'), 'x')
      writeFileSync(path('3'), '9876543210')
    },
  ],
  ['has grown', () => writeFileSync(path('3'), '0123456789-')],
  ['has shrunk', () => truncateSync(path('3'), 4)],
]
test.each(changes)('a file that %s is not returned', async (_, change) => {
  const file = kept('0123456789')
  change(file)
  await expect(read(file)).rejects.toMatchObject({ code: 'artifact_not_found' })
})

test('a missing file and a missing folder are reported', async () => {
  const file = kept('0123456789')
  rmSync(path('3'))
  await expect(read(file)).rejects.toThrow('not on the server one any more')
  rmSync(folder, { recursive: true })
  await expect(read(file)).rejects.toThrow('not on the server one any more')
})

const hostThat = (run: Host['run']): Host => ({ name: 'one', run, git: localGit })
const ended = { exitCode: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }

test('a response that is too short or too long is refused', async () => {
  for (const length of [4, 6, 5_000_000]) {
    const host = hostThat(async (_, options) => {
      await options?.onOutput?.(Buffer.alloc(length))
      return ended
    })
    const part = readerOn(host).readPart(server, kept('01234'), { from: 0, length: 5 })
    await expect(part).rejects.toMatchObject({ code: 'artifact_not_found' })
  }
})

test.each([
  [new ServerUnreachable('auth', 'refused'), 'server_unreachable'],
  [new ConnectionLost('cut'), 'server_unreachable'],
  [new CommandStopped('timed_out'), 'server_timeout'],
])('%s is answered as an error of the API', async (error, code) => {
  const part = readerOn(hostThat(() => Promise.reject(error))).readPart(server, kept('x'), { from: 0, length: 1 })
  await expect(part).rejects.toMatchObject({ code })
})

test('a server that does not answer fails at the deadline', async () => {
  const host = hostThat(
    (_, options) =>
      new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new CommandStopped('aborted')))
      }),
  )
  const reader = createArtifacts({ hosts: { of: () => host }, folderOf: () => base, deadlineMs: 20 })
  await expect(reader.readPart(server, kept('x'), { from: 0, length: 1 })).rejects.toMatchObject({
    code: 'server_timeout',
  })
})
