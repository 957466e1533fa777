// Whatever a command prints may come from a stranger: a terminal must obey none of it.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeFolder, runServer } from '../../test/maintenance/command-runs.ts'
import { createBox } from '../secrets/box.ts'
import { Secret } from '../secrets/secret.ts'

const KEY = randomBytes(32)
const MASTER_KEY = KEY.toString('base64')
const box = createBox(new Secret<Uint8Array>(KEY))

test('nothing of a file that is not verified yet steers a terminal or looks like a line of ours', async () => {
  using folder = makeFolder()
  const head = {
    format: 'shipway-backup-1',
    version: 'v1.15.0',
    made_at: new Date(0).toISOString(),
    database: 'sqlite',
    migrations: [{ name: '0001-first.sql', checksum: 'none' }],
    key_id: box.keyId,
    master_key: MASTER_KEY,
  }
  const words = ['\u001b[2J\u001b]0;owned\u0007', '\u009b2J', 'x\nRestored 7 rows', 'x'.repeat(100_000)]
  const heads = words.flatMap((word) => [
    { ...head, version: word },
    { ...head, migrations: [{ name: word, checksum: word }] },
    { ...head, key_id: word },
    { ...head, master_key: word },
  ])
  for (const [index, each] of [head, ...heads].entries()) {
    const file = join(folder.path, `${index}.backup`)
    writeFileSync(file, gzipSync(`${JSON.stringify(each)}\n`))
    const { exitCode, out, notes } = await runServer({ SHIPWAY_DATA: join(folder.path, 'data') }, ['restore', file])
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
    expect(notes).not.toMatch(NOT_SAFE)
    expect(notes.length).toBeLessThan(500)
  }
})

test('neither does a word of the command line, nor a name of a file', async () => {
  const sequence = '\u001b[31mx\u009b0m'
  using folder = makeFolder()
  const settings = { SHIPWAY_DATA: folder.path }
  const calls = [
    [sequence],
    ['restore', sequence],
    ['backup', '--', sequence, sequence],
    ['admin', 'reset-password', sequence],
  ]
  for (const words of calls) {
    const { notes } = await runServer(settings, words)
    expect(notes).not.toBe('')
    expect(notes).not.toMatch(NOT_SAFE)
  }
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
const NOT_SAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|^Restored/m
