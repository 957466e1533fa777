// What is kept of the files that a container sends, which may say anything about them.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadScript, shell } from '../../commands/script.ts'
import { runProcess } from '../../remote/process.ts'

const script = loadScript(import.meta.url, 'keep-files')
const MOST = 20_000_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-keep-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Says that a file has so many bytes, sends them, and notes how many of them were written by then. */
const SENDER = 'echo "file $1"; tr "\\0" x </dev/zero | head -c "$2"; wc -c <"$3.new/1" >"$3.seen"; echo sent'

async function keep(said: string, sent: number): Promise<{ exitCode: number; written: number; isKept: boolean }> {
  const kept = join(folder, 'kept')
  const sender = ['sh', '-c', SENDER, 'sh', said, String(sent), kept]
  const { exitCode } = await runProcess(shell(script, 'shipway-keep', kept, String(MOST), '1', ...sender))
  const seen = existsSync(`${kept}.seen`) ? readFileSync(`${kept}.seen`, 'utf8').trim() : ''
  return { exitCode, written: Number(seen), isKept: existsSync(join(kept, '1')) }
}

test('a size with a leading zero is none: the shell counts it as octal and dd writes it as decimal', async () => {
  // 16,777,215 in octal: within the limit.
  expect(await keep('077777777', 77_777_777)).toEqual({ exitCode: 4, written: 0, isKept: false })
})

test.each(['', '-1', '+1', '0x10', '1e9', '08', '1 2', '9223372036854775808', '99999999999999999999'])(
  'a size of %j keeps nothing',
  async (said) => {
    expect(await keep(said, 16)).toMatchObject({ exitCode: 4, isKept: false })
  },
)

test.each([0, 5, 10])('a file of %i bytes is kept', async (bytes) => {
  expect(await keep(String(bytes), bytes)).toMatchObject({ exitCode: 0, isKept: true })
})

test('more than the limit is refused before it is written', async () => {
  expect(await keep(String(MOST + 1), 100)).toMatchObject({ exitCode: 3, isKept: false })
})
