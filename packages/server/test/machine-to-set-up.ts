// A private machine that the set-up script is run on: for each test a new one, or one for tests that change nothing on it.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { edgeTemplates } from '../src/edge/haproxy/config-template.ts'
import { setUpScript } from '../src/remote/set-up/server-set-up.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../src/remote/ssh/ssh-authority.ts'
import {
  type Ended,
  hasPrivateMachine,
  type PrivateMachine,
  realAccounts,
  startPrivateMachine,
} from './private-machine.ts'

export const canSetUp =
  hasPrivateMachine && ['/usr/sbin/haproxy', '/usr/sbin/sshd', '/usr/bin/socat'].every((path) => existsSync(path))

export const script = setUpScript(edgeTemplates())
export const authority = createSshAuthority(generateSshAuthorityKey())
export const principal = `shipway-7-${'0123456789abcdef'.repeat(2)}`
export const words = [
  ...['--installation', 'a1b2c3', '--user', 'shipway'],
  ...['--principal', principal, '--authority', authority.publicKey],
]

export type MachineToSetUp = {
  readonly machine: () => PrivateMachine
  /** Runs the script as the line to paste does; programs are those in /run/bin, where a test can take them away. */
  setUp(...more: string[]): Ended
  /** What a command prints. */
  shell(text: string): string
  /** Starts something that stays until the machine ends. */
  start(command: readonly string[]): ChildProcess
  /** Everything that the script may change, but times and what runs. */
  state(): string
}

/** Call it in a `describe`. The machine that the tests run on must be as it was, at the end. */
export function machineToSetUp({ isForAll = false } = {}): MachineToSetUp {
  let before: string
  let machine: PrivateMachine
  beforeAll(() => {
    before = realAccounts()
  })
  const [begin, end] = isForAll ? [beforeAll, afterAll] : [beforeEach, afterEach]
  begin(async () => {
    machine = await startPrivateMachine()
    shell('mkdir /run/bin && ln -s /usr/bin/* /run/bin/')
  })
  end(() => machine.stop())
  afterAll(() => expect(realAccounts()).toBe(before))
  const shell = (text: string): string => machine.run(['sh', '-c', text]).stdout
  return {
    machine: () => machine,
    setUp: (...more) =>
      machine.run(['sh', '-s', '--', ...words, ...more], {
        input: script,
        environment: { PATH: '/run/bin:/usr/sbin:/sbin' },
      }),
    shell,
    start: (command) => {
      const [program, ...rest] = machine.inside(command)
      return spawn(program, rest, { stdio: 'ignore' })
    },
    state: () =>
      shell(`cat /etc/passwd /etc/group /etc/shadow; cd /
        find etc/ssh etc/systemd home -type f ! -name '*.pid' -exec sha256sum {} + | sort -k 2`),
  }
}
