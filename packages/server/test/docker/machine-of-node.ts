// A node of a Swarm for tests as a whole machine: programs start with it, and it is set up as other machines are.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createServer, connect as openSocket, type Server } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SwarmNode } from './swarm.ts'

const runFile = promisify(execFile)

export type Machine = {
  readonly node: SwarmNode
  /** As root, in all of its namespaces. */
  run(command: string): Promise<string>
  /** Runs at every start of the machine, beginning now. */
  keepRunning(command: string): void
  /** What listens at this address of its own loopback is what listens at it on this machine. */
  lend(port: number): Promise<void>
  /** As a power failure does. */
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

/** An sshd runs on it. */
export async function openMachine(node: SwarmNode): Promise<Machine> {
  const services: string[] = []
  const loans = new Map<number, Server>()
  let running: ChildProcess[] = []
  const inside = (command: string): readonly string[] => [
    ...['--target', String(node.processId()), '--mount', '--net', '--pid', '--uts', '--'],
    ...['env', '-i', `PATH=${USUAL_PATH}`, 'HOME=/root', 'sh', '-c', command],
  ]
  const start = (command: string): void => {
    running.push(spawn('setpriv', ['--pdeathsig=KILL', '--', 'nsenter', ...inside(command)], { stdio: 'ignore' }))
  }
  const run = async (command: string): Promise<string> => {
    const { stdout } = await runFile('nsenter', [...inside(command)], { maxBuffer: 64 * 1024 * 1024 })
    return stdout
  }
  const keepRunning = (command: string): void => {
    services.push(command)
    start(command)
  }
  const kill = async (): Promise<void> => {
    running = []
    await node.kill()
  }
  keepRunning('exec /usr/sbin/sshd -D -e')
  return {
    node,
    run,
    keepRunning,
    lend: async (port) => {
      const path = join(node.folder, `lent-${port}.sock`)
      const server = createServer((visitor) => {
        const own = openSocket(port, '127.0.0.1')
        visitor.pipe(own).pipe(visitor)
        for (const socket of [visitor, own])
          socket.on('error', () => {
            visitor.destroy()
            own.destroy()
          })
      })
      await new Promise<void>((resolve) => server.listen(path, resolve))
      loans.set(port, server)
      start(`exec socat TCP-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:${path}`)
      await run(`until curl -s -o /dev/null http://127.0.0.1:${port}/; do sleep 0.05; done`)
    },
    kill,
    restart: async () => {
      await node.restart()
      for (const command of services) start(command)
    },
    stop: async () => {
      for (const server of loans.values()) await new Promise<void>((resolve) => server.close(() => resolve()))
      for (const child of running) child.kill('SIGKILL')
    },
  }
}

const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'
