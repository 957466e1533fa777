// A real HAProxy for tests, with the configuration and the runtime socket in a folder.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isOnThePath } from '../../../tools/real-parts/programs.ts'
import { until } from './steps.ts'

export const hasHaproxy = isOnThePath('haproxy') && isOnThePath('socat')

export type Haproxy = {
  readonly pid: number
  /** What the runtime socket answers to a line of commands. */
  say(commands: string): Promise<string>
  /** It stops at once, as where it is killed; the folder stays. */
  stop(): Promise<void>
}

type HaproxyOptions = Readonly<{
  folder: string
  /** Written to haproxy.cfg in the folder; without it, the file that is there is used, and groups.cfg beside it. It must name haproxy.sock there. */
  config?: string
  /** Put before its words, such as those that enter another network namespace. */
  through?: readonly string[]
}>

/** It listens when this resolves, and it ends when the tests are killed. */
export async function startHaproxy({ folder, config, through = [] }: HaproxyOptions): Promise<Haproxy> {
  const file = join(folder, 'haproxy.cfg')
  const socket = join(folder, 'haproxy.sock')
  if (config !== undefined) writeFileSync(file, config)
  const groups = join(folder, 'groups.cfg')
  const files = existsSync(groups) ? ['-f', file, '-f', groups] : ['-f', file]
  const words = ['--pdeathsig=KILL', '--', ...through, 'haproxy', '-db', ...files]
  const running = spawn('setpriv', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  running.stderr.on('data', (bytes: Buffer) => {
    said = `${said}${bytes}`.slice(-10_000)
  })
  await once(running, 'spawn')
  await until(async () => hasEnded(running) || (await answers(socket)))
  if (hasEnded(running)) throw new Error(`HAProxy did not start. It said:\n${said}`)
  return {
    pid: running.pid ?? 0,
    say: (commands) => text(connect(socket).end(`${commands}\n`)),
    stop: async () => {
      if (hasEnded(running)) return
      const ended = once(running, 'close')
      running.kill('SIGKILL')
      await ended
    },
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** The sockets of all frontends are bound before it answers on this one. A file that an earlier one left does not answer. */
async function answers(socket: string): Promise<boolean> {
  const connection = connect(socket)
  try {
    await once(connection, 'connect')
    return true
  } catch {
    return false
  } finally {
    connection.destroy()
  }
}
