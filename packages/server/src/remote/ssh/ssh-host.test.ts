// Commands over ssh, on a real sshd that trusts the platform's authority.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { isAlive } from '../../../test/process-list.ts'
import { hasSshd, loopbackServers, startSshd } from '../../../test/sshd.ts'
import { stageSshHost } from '../../../test/stage/stage-ssh-host.ts'
import { CommandStopped, TooMuchOutput } from '../host.ts'
import { createHosts } from '../hosts.ts'

describe.skipIf(!hasSshd)('a host over ssh', () => {
  const { folder, authority, sshd, host } = stageSshHost()

  const shell = (script: string, ...words: string[]) => ['sh', '-c', script, 'sh', ...words] as const

  test.each([0, 1, 126, 127, 200, 254, 255])('the exit code %i arrives with all output', async (code) => {
    const { exitCode, stdout, stderr } = await host.run(shell('printf out; printf err >&2; exit "$1"', String(code)))
    expect({ exitCode, stdout: `${stdout}`, stderr: `${stderr}` }).toEqual({
      exitCode: code,
      stdout: 'out',
      stderr: 'err',
    })
  })

  test('a command that a signal ended has the exit code of a shell', async () => {
    expect((await host.run(shell('kill -9 $$'))).exitCode).toBe(137)
  })

  test('a missing program exits with 127', async () => {
    expect((await host.run(['shipway-no-such-program'])).exitCode).toBe(127)
  })

  test('input and output are bytes', async () => {
    const input = Buffer.from(Array.from({ length: 500_000 }, (_, index) => (index * 7 + (index >> 8)) % 256))
    expect((await host.run(['cat'], { input })).stdout.equals(input)).toBe(true)
    expect((await host.run(['cat'])).stdout).toHaveLength(0)
  })

  test('a standard error beyond what is kept does not hide an exit code of 255', async () => {
    const { exitCode, stderr } = await host.run(
      shell('{ echo first; yes | head -c 3000000; echo last; } >&2; exit 255'),
    )
    expect(exitCode).toBe(255)
    expect(stderr.subarray(0, 6).toString()).toBe('first\n')
    expect(stderr.subarray(-5).toString()).toBe('last\n')
  })

  test('words arrive unchanged, whatever characters they contain', async () => {
    const word = fc
      .string({ unit: 'binary', maxLength: 40 })
      .filter((text) => !text.includes('\0') && text.isWellFormed())
    const nasty = [
      '',
      ' ',
      '-rf',
      '--',
      '$(id)',
      '`id`',
      "it's",
      '"',
      '\\',
      '\n',
      '!!',
      '~',
      '*',
      '%h',
      '\u001b[2J',
      'ü€𝄞',
    ]
    const arrives = async (words: string[]): Promise<void> => {
      const { stdout } = await host.run(['printf', '%s\\0', '', ...words])
      expect(stdout.toString()).toBe(['', ...words].map((text) => `${text}\0`).join(''))
    }
    await arrives(nasty)
    await fc.assert(fc.asyncProperty(fc.array(word, { maxLength: 30 }), arrives), { numRuns: 25 })
  })

  test('output is streamed without growing a buffer', async () => {
    let length = 0
    const onOutput = (bytes: Buffer): void => {
      length += bytes.length
    }
    await host.run(['head', '-c', '20000000', '/dev/zero'], { onOutput })
    expect(length).toBe(20_000_000)
  })

  test('thirty commands at once share one connection and are never refused a session', async () => {
    const commands = Array.from({ length: 30 }, (_, index) => host.run(shell('echo "$1"', String(index))))
    const outputs = (await Promise.all(commands)).map(({ stdout }) => stdout.toString().trim())
    expect(outputs).toEqual(Array.from({ length: 30 }, (_, index) => String(index)))
    expect(sshd.log().filter((line) => line.startsWith('Accepted publickey'))).toHaveLength(1)
    expect(sshd.log().filter((line) => refusedSession.test(line))).toEqual([])
  })

  const sessions = () => sshd.log().filter((line) => line.startsWith('Starting session')).length

  test('one command after the other runs in one session', async () => {
    await host.run(['true'])
    const before = sessions()
    for (let round = 0; round < 20; round++) {
      expect((await host.run(shell('echo "$1"; exit 3', String(round)))).stdout.toString()).toBe(`${round}\n`)
    }
    expect(sessions()).toBe(before)
  })

  test('a command gets no input, folder or output of the previous one', async () => {
    const input = Buffer.alloc(3_000_000, 'next\n')
    expect((await host.run(['true'], { input })).exitCode).toBe(0)
    expect((await host.run(['head', '-c', '4'], { input })).stdout.toString()).toBe('next')
    await host.run(shell('cd /; (sleep 0.2; echo late; echo late >&2) & exit 0'))
    await host.run(['sleep', '0.4'])
    const { stdout, stderr } = await host.run(shell('cat; pwd'))
    expect({ stdout: `${stdout}`, stderr: `${stderr}` }).toEqual({ stdout: `${homedir()}\n`, stderr: '' })
    expect((await host.run(['exit', '3'])).exitCode).toBe(127)
    expect((await host.run(['echo', 'goes on'])).stdout.toString()).toBe('goes on\n')
  })

  test('no command is sent into a session that fell silent', async () => {
    const { stdout } = await host.run(shell('echo $PPID'))
    // Longer than a shell is trusted without a check.
    await delay(1_100)
    process.kill(Number(stdout.toString()), 'SIGKILL')
    expect((await host.run(['echo', 'another'])).stdout.toString()).toBe('another\n')
  })

  test('the platform signs in with a certificate that names the server', () => {
    const accepted = sshd.log().find((line) => line.startsWith('Accepted publickey'))
    expect(accepted).toMatch(/ED25519-CERT .* ID shipway:server=1 \(serial \d+\) CA ED25519 SHA256:/)
    expect(accepted).toContain(authority.fingerprint)
  })

  const printPidsAndStay = 'sleep 300 & echo $$ $!; wait'

  /** Starts a command that keeps running, and returns its processes. */
  async function staying(options: { timeoutMs?: number; signal?: AbortSignal }) {
    const heard = Promise.withResolvers<string[]>()
    const onOutput = (bytes: Buffer): void => heard.resolve(bytes.toString().trim().split(' '))
    const running = host.run(shell(printPidsAndStay), { ...options, onOutput })
    const ended = running.then(
      () => 'finished',
      (error) => (error instanceof CommandStopped ? error.reason : error),
    )
    return { pids: await heard.promise, ended }
  }

  test('an abort ends the processes on the server', async () => {
    const abort = new AbortController()
    const { pids, ended } = await staying({ signal: abort.signal })
    expect(pids.filter(isAlive)).toHaveLength(2)
    abort.abort()
    expect(await ended).toBe('aborted')
    expect(pids.filter(isAlive)).toEqual([])
  })

  test('a timeout ends the processes on the server', async () => {
    const { pids, ended } = await staying({ timeoutMs: 5_000 })
    expect(pids).toHaveLength(2)
    expect(await ended).toBe('timed_out')
    expect(pids.filter(isAlive)).toEqual([])
  })

  test('too much output ends the processes on the server', async () => {
    const file = join(folder, 'pids')
    const script = 'sleep 300 & echo "$$ $!" >"$1"; yes'
    await expect(host.run(shell(script, file))).rejects.toThrow(TooMuchOutput)
    const pids = readFileSync(file, 'utf8').trim().split(' ')
    expect(pids).toHaveLength(2)
    expect(pids.filter(isAlive)).toEqual([])
  })

  test('commands can be aborted while all sessions are busy, and waiting ones reject at once', async () => {
    const abort = new AbortController()
    const stayingOnes = await Promise.all(Array.from({ length: 8 }, () => staying({ signal: abort.signal })))
    const waiting = new AbortController()
    const waitingOne = host.run(['true'], { signal: waiting.signal })
    waiting.abort()
    await expect(waitingOne).rejects.toThrow(CommandStopped)
    abort.abort()
    expect(await Promise.all(stayingOnes.map(({ ended }) => ended))).toEqual(Array(8).fill('aborted'))
    expect(stayingOnes.flatMap(({ pids }) => pids).filter(isAlive)).toEqual([])
    expect((await host.run(['echo', 'free'])).stdout.toString()).toBe('free\n')
  })

  test('git waits for a session like commands, few at once, and rejects at once when aborted', async () => {
    const here = new Set<number>()
    const most: number[] = []
    const gate = Promise.withResolvers<void>()
    const push = (number: number) => async () => {
      most.push(here.add(number).size)
      await gate.promise
      here.delete(number)
    }
    const pushes = Array.from({ length: 7 }, (_, number) => host.git.inTurn(push(number)))
    expect((await host.run(['echo', 'free'])).stdout.toString()).toBe('free\n')
    const stopper = new AbortController()
    const stopped = host.git.inTurn(push(7), stopper.signal)
    stopper.abort()
    await expect(stopped).rejects.toThrow(CommandStopped)
    gate.resolve()
    await Promise.all(pushes)
    expect(Math.max(...most)).toBe(3)
    expect(most).toHaveLength(7)
  })

  test('git reaches a repository on the server over the same connection', async () => {
    const repository = join(folder, 'a b%41.git')
    await host.run(['git', 'init', '--quiet', '--bare', repository])
    const before = sshd.log().filter((line) => line.startsWith('Accepted')).length
    const environment = await host.git.inTurn(async (own) => ({ PATH: process.env.PATH, ...own }))
    const git = (...words: string[]) =>
      execFileSync('git', words, { env: environment, encoding: 'utf8', stdio: 'pipe' })
    const work = join(folder, 'work')
    git('init', '--quiet', work)
    git(
      '-C',
      work,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@localhost',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'x',
    )
    git('-C', work, 'push', '--quiet', host.git.address(repository), 'HEAD:refs/heads/main')
    expect(git('ls-remote', '--', host.git.address(repository))).toContain('refs/heads/main')
    expect(sshd.log().filter((line) => line.startsWith('Accepted'))).toHaveLength(before)
  })

  test('git opens its own connection if there is none to share', async () => {
    await sshd.restart()
    const environment = await host.git.inTurn(async (own) => ({ PATH: process.env.PATH, ...own }))
    const words = ['ls-remote', '--', host.git.address(join(folder, 'a b%41.git'))]
    expect(execFileSync('git', words, { env: environment, encoding: 'utf8' })).toContain('refs/heads/main')
  })

  test('a restarted sshd is reached again', async () => {
    expect((await host.run(['echo', 'one'])).stdout.toString()).toBe('one\n')
    await sshd.restart()
    // This process may not have noticed the end of the old connection: commands until then are lost with it.
    const two = async () => expect((await host.run(['echo', 'two'])).stdout.toString()).toBe('two\n')
    await vi.waitFor(two, { timeout: 120_000 })
  })

  test('commands wait for a session if sshd allows fewer', async () => {
    const narrow = await startSshd({ authorityKey: authority.publicKey, settings: ['MaxSessions 3'] })
    const own = createHosts({ folder, authority, ...loopbackServers })
    try {
      // None ends before one was refused: there are always more than there are sessions.
      const staying = shell('until [ -e "$1" ]; do sleep 0.05; done; echo done', join(folder, 'refused'))
      const commands = Array.from({ length: 8 }, () => own.of(narrow.address()).run(staying))
      const isRefused = () => expect(narrow.log().some((line) => refusedSession.test(line))).toBe(true)
      await vi.waitFor(isRefused, { timeout: 120_000 }).finally(() => writeFileSync(join(folder, 'refused'), ''))
      expect((await Promise.all(commands)).map(({ stdout }) => `${stdout}`)).toEqual(Array(8).fill('done\n'))
    } finally {
      await own.close()
      await narrow.stop()
    }
  })
})

const refusedSession = /no more sessions/
