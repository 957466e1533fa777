// Commands on this machine, in shells that stay open.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { isAlive } from '../../test/process-list.ts'
import { listArtifactFolders } from '../commands/environment-folders.ts'
import { CommandStopped, PlatformStopping, TooMuchOutput, USUAL_LIMIT_MS } from './host.ts'
import { createLocalShells } from './local-shells.ts'
import { runProcess } from './process.ts'

const shells = createLocalShells({ GIVEN: 'yes' })
afterAll(() => shells.close())

const script = (text: string, ...words: string[]) => ['sh', '-c', text, 'sh', ...words] as const
const printed = async (...command: readonly [string, ...string[]]) => `${(await shells.run(command)).stdout}`

test('one command after the other runs in one shell, with its own environment and not the platform’s', async () => {
  const parents = [await printed(...script('echo $PPID')), await printed(...script('echo $PPID'))]
  expect(parents[0]).toBe(parents[1])
  process.env.SHIPWAY_CANARY = 'canary'
  const names = (await printed('env')).split('\n')
  expect(names).toContain('GIVEN=yes')
  expect(names.join()).not.toContain('canary')
  delete process.env.SHIPWAY_CANARY
})

test('many run at once', async () => {
  const all = Array.from({ length: 12 }, (_, index) => printed(...script('sleep 0.1; echo "$1"', String(index))))
  expect(await Promise.all(all)).toEqual(Array.from({ length: 12 }, (_, index) => `${index}\n`))
})

test('each command has its own exit code, output and input', async () => {
  const { exitCode, stdout, stderr } = await shells.run(script('cat; printf err >&2; exit 255'), { input: 'in' })
  expect({ exitCode, stdout: `${stdout}`, stderr: `${stderr}` }).toEqual({ exitCode: 255, stdout: 'in', stderr: 'err' })
  expect((await shells.run(['shipway-no-such-program'])).exitCode).toBe(127)
  expect((await shells.run(script('kill -9 $$'))).exitCode).toBe(137)
})

test('every word arrives unchanged: on one line, with line breaks, longer than the line limit, and with a stored script', async () => {
  const words = ['', ' two  blanks ', "it's", '\\n', '$HOME "`id`" #', 'a\nb\n', 'ünï', 'x'.repeat(5000), '-']
  for (const word of words) expect(await printed('printf', '%s', word)).toBe(word)
  const folder = mkdtempSync(join(tmpdir(), 'shipway-shells-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const place = (index: number): string => `environments/1/artifacts/${index}`
  // The first command sends the script to the shell.
  for (const index of [1, 2, 3]) {
    mkdirSync(join(folder, place(index)), { recursive: true })
    const listed = await printed(...listArtifactFolders(folder))
    expect(listed.trim().split('\n')).toEqual([1, 2, 3].slice(0, index).map(place))
  }
})

test('a command ends only when all its output was processed', async () => {
  const taken: string[] = []
  const onOutput = async (bytes: Buffer): Promise<void> => {
    await wait(100)
    taken.push(`${bytes}`)
  }
  expect(await shells.run(script('echo out; echo err >&2'), { onOutput })).toMatchObject({ exitCode: 0 })
  expect(taken.join('')).toBe('out\n')
})

test('stopping a command ends all its processes, and the next command runs', async () => {
  const stopper = new AbortController()
  const heard = Promise.withResolvers<string[]>()
  const onOutput = (bytes: Buffer): void => heard.resolve(bytes.toString().trim().split(' '))
  const running = shells.run(script('sleep 300 & echo $$ $!; wait'), { onOutput, signal: stopper.signal })
  const pids = await heard.promise
  expect(pids.filter(isAlive)).toHaveLength(2)
  stopper.abort()
  await expect(running).rejects.toThrow(CommandStopped)
  expect(pids.filter(isAlive)).toEqual([])
  await expect(shells.run(['yes'])).rejects.toThrow(TooMuchOutput)
  await expect(shells.run(['sleep', '300'], { timeoutMs: 50 })).rejects.toMatchObject({ reason: 'timed_out' })
  await expect(shells.run(['true'], { signal: AbortSignal.abort() })).rejects.toThrow(CommandStopped)
  expect(await printed('echo', 'next')).toBe('next\n')
})

test('a command that never ends is ended, even without a timeout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const begun = Promise.withResolvers<void>()
  const running = shells.run(script('echo begun; exec sleep 1000'), { onOutput: () => begun.resolve() })
  const ended = expect(running).rejects.toMatchObject({ name: 'CommandStopped', reason: 'timed_out' })
  await begun.promise
  vi.advanceTimersByTime(USUAL_LIMIT_MS)
  vi.useRealTimers()
  await ended
})

test('standard error is streamed and kept', async () => {
  const seen = Promise.withResolvers<string>()
  const running = shells.run(script('echo first >&2; read -r _; echo second >&2'), {
    onErrorOutput: (bytes) => seen.resolve(bytes.toString()),
    input: 'x\n',
  })
  expect(await seen.promise).toMatch(/^first\n/)
  expect(`${(await running).stderr}`).toBe('first\nsecond\n')
})

test('a running command keeps the process alive, an idle shell does not', async () => {
  const program = `
    import { createLocalShells } from ${JSON.stringify(new URL('./local-shells.ts', import.meta.url).href)}
    const shells = createLocalShells()
    for (const word of ['one', 'two']) console.log((await shells.run(['sh', '-c', 'sleep 0.2; echo ' + word])).stdout.toString().trim())
    await new Promise((done) => setTimeout(done, 1100))
    console.log((await shells.run(['echo', 'three'])).stdout.toString().trim())`
  const { stdout, exitCode } = await runProcess([process.execPath, '--input-type=module', '--eval', program])
  expect([`${stdout}`, exitCode]).toEqual(['one\ntwo\nthree\n', 0])
})

test('closing ends running commands and refuses new ones', async () => {
  const own = createLocalShells()
  const heard = Promise.withResolvers<string>()
  const onOutput = (bytes: Buffer): void => heard.resolve(bytes.toString().trim())
  const running = expect(own.run(script('echo $$; exec sleep 300'), { onOutput })).rejects.toThrow(PlatformStopping)
  const opening = expect(own.run(['sleep', '300'])).rejects.toThrow(PlatformStopping)
  const pid = await heard.promise
  await own.close()
  await Promise.all([running, opening])
  expect(isAlive(pid)).toBe(false)
  await expect(own.run(['true'])).rejects.toThrow(PlatformStopping)
})
