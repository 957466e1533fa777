import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { isAlive } from '../../test/process-list.ts'
import { createLocalHost } from '../../test/processes/local-host.ts'
import { CommandStopped, TooMuchOutput } from './host.ts'
import { runProcess } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-process-'))
afterAll(() => rmSync(folder, { recursive: true }))

const shell = (script: string, ...words: string[]) => ['sh', '-c', script, 'sh', ...words] as const

test('a command returns its exit code and output', async () => {
  const finished = await runProcess(shell('printf out; printf err >&2; exit 3'))
  expect({ ...finished, stdout: `${finished.stdout}`, stderr: `${finished.stderr}` }).toEqual({
    exitCode: 3,
    stdout: 'out',
    stderr: 'err',
  })
})

test('a command that a signal ended has the exit code of a shell', async () => {
  expect((await runProcess(shell('kill -9 $$'))).exitCode).toBe(137)
})

test('words arrive unchanged, since no shell reads them', async () => {
  const words = ['', ' ', '$HOME', '`id`', '"', "'", '*', '\\', '\n', '; exit 1', '--help', 'ü€𝄞']
  const { stdout } = await runProcess(['printf', '%s\\0', ...words])
  expect(stdout.toString()).toBe(words.map((word) => `${word}\0`).join(''))
})

test('passes on only the path, the home, the language and the given variables', async () => {
  const { stdout } = await runProcess(['env'], { environment: { GIVEN: 'yes' } })
  const names = stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split('=')[0])
  expect(names.toSorted()).toEqual(['GIVEN', 'HOME', 'LANG', 'PATH'])
})

test('input arrives unchanged and then ends', async () => {
  const input = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256))
  expect((await runProcess(['cat'], { input })).stdout.equals(input)).toBe(true)
})

test('a command that does not read its input is no failure', async () => {
  expect((await runProcess(['true'], { input: Buffer.alloc(5_000_000) })).exitCode).toBe(0)
})

test('a missing program exits with 127, and one that is not executable with 126', async () => {
  expect((await runProcess(['shipway-no-such-program'])).exitCode).toBe(127)
  expect((await runProcess(['/etc/passwd'])).exitCode).toBe(126)
})

test('a collected output beyond a mebibyte ends the command', async () => {
  await expect(runProcess(['yes'])).rejects.toThrow(TooMuchOutput)
})

test('keeps the start and end of an endless standard error', async () => {
  const { stderr, exitCode } = await runProcess(shell('{ echo first; yes | head -c 5000000; echo last; } >&2'))
  expect(exitCode).toBe(0)
  expect(stderr.length).toBeLessThan(1024 * 1024 + 100)
  expect(stderr.subarray(0, 6).toString()).toBe('first\n')
  expect(stderr.subarray(-5).toString()).toBe('last\n')
})

test('output is passed on piece by piece, waiting for each piece to be processed', async () => {
  let isTaking = false
  let length = 0
  const onOutput = async (bytes: Buffer): Promise<void> => {
    expect(isTaking).toBe(false)
    isTaking = true
    await new Promise(setImmediate)
    length += bytes.length
    isTaking = false
  }
  const { stdout } = await runProcess(['head', '-c', '20000000', '/dev/zero'], { onOutput })
  expect({ length, kept: stdout.length }).toEqual({ length: 20_000_000, kept: 0 })
})

test('a consumer that fails ends the command, and the caller gets its error', async () => {
  const onOutput = (): never => {
    throw new Error('disk full')
  }
  await expect(runProcess(['yes'], { onOutput })).rejects.toThrow('disk full')
})

test.each(['timeout', 'abort'])('a %s ends the command and its processes', async (way) => {
  const file = join(folder, way)
  const abort = new AbortController()
  // The second process has closed the output and ignores SIGTERM.
  const stubborn = 'trap "" TERM; echo $$ >"$1.part"; mv "$1.part" "$1"; sleep 300'
  const script = 'sleep 300 & echo $!; sh -c "$1" sh "$2" >/dev/null 2>&1 & wait'
  const pids: number[] = []
  const onOutput = (bytes: Buffer): void => void pids.push(Number(bytes.toString()))
  const running = runProcess(shell(script, stubborn, file), {
    onOutput,
    ...(way === 'timeout' ? { timeoutMs: 5_000 } : { signal: abort.signal }),
  })
  const outcome = expect(running).rejects.toMatchObject({ reason: way === 'timeout' ? 'timed_out' : 'aborted' })
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 120_000 })
  pids.push(Number(readFileSync(file, 'utf8')))
  abort.abort()
  await outcome
  expect(pids).toHaveLength(2)
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 120_000 })
})

test('a process that left the group and holds the output does not delay the end', async () => {
  const onOutput = (bytes: Buffer): void => void pids.push(Number(bytes.toString()))
  const pids: number[] = []
  const abort = new AbortController()
  const running = runProcess(['setsid', 'sh', '-c', 'echo $$; exec sleep 300'], {
    onOutput: (bytes) => {
      onOutput(bytes)
      abort.abort()
    },
    signal: abort.signal,
  })
  await expect(running).rejects.toThrow(CommandStopped)
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
})

test('a command aborted before its start does not start', async () => {
  const file = join(folder, 'never')
  await expect(runProcess(['touch', file], { signal: AbortSignal.abort() })).rejects.toThrow(CommandStopped)
  expect(existsSync(file)).toBe(false)
})

test('the local host runs commands here, and git reaches its repositories by their path', async () => {
  const host = createLocalHost('this machine')
  expect((await host.run(['cat'], { input: 'hello' })).stdout.toString()).toBe('hello')
  expect(host.git.address('/srv/a b.git')).toBe('/srv/a b.git')
  expect(await host.git.inTurn(async (environment) => environment)).toEqual({})
})
