// A real Docker Engine for tests, with its own folder, network and base images; several of them are several servers.
//
// It runs in a process namespace of its own, whose first process is dockerd: where that one ends, the kernel ends all
// containers with it. It touches no firewall rule of the machine, so engines cannot disturb each other or an engine of
// the machine itself; ports published on 127.0.0.1 go through Docker's proxy process. Docker keeps networks apart with
// firewall rules, so a test about that asks for an engine with a network namespace of its own, where they are in force.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { docker } from '../../../../tools/real-parts/docker.ts'
import { isOnThePath } from '../../../../tools/real-parts/programs.ts'
import { createLocalHost, printedBy } from '../processes/local-host.ts'
import { type BaseImage, baseImages } from './docker-images.ts'
import { type EngineSlot, releaseSlot, takeSlot } from './engine-slot.ts'

export const hasDocker = docker.isPresent() && ['busybox', 'ip', 'unshare'].every(isOnThePath)

export type EngineClient = Readonly<{
  /** The value of DOCKER_HOST that leads here. */
  host: string
  /** Runs `docker` with these words and returns what it wrote to its standard output. */
  docker: (...words: string[]) => Promise<string>
}>

export type Engine = EngineClient & {
  /** Put before a command's words, it runs where 127.0.0.1 is the engine's own; empty where that is the machine's. */
  readonly inItsNetwork: readonly string[]
  /** Ends the engine and everything that it runs, and removes what it kept. */
  stop(): Promise<void>
}

/** The base images `shipway-test/busybox` and `shipway-test/node` are in it. */
export async function startEngine({ hasOwnNetwork = false } = {}): Promise<Engine> {
  const slot = await takeSlot()
  let daemon: ChildProcess | undefined
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= endDaemon(daemon).then(() => releaseSlot(slot))
    return stopped
  }
  try {
    daemon = await startDaemon(slot, { hasOwnNetwork })
    const client = clientOf(socketIn(slot))
    await loadBaseImages(client)
    return { ...client, inItsNetwork: hasOwnNetwork ? inNetworkOf(daemon) : [], stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export const socketIn = ({ folder }: EngineSlot): string => `unix://${folder}/docker.sock`

/** The words that run a command in the network of this engine. */
export const inNetworkOf = (daemon: ChildProcess): readonly string[] => [
  'nsenter',
  `--net=/proc/${firstProcess(daemon)}/ns/net`,
  '--',
]

/** An engine that another process started. */
export function clientOf(host: string): EngineClient {
  const here = createLocalHost('this machine', { DOCKER_HOST: host })
  return {
    host,
    docker: (...words) => printedBy(here, ['docker', ...words]),
  }
}

export async function loadBaseImages(engine: EngineClient): Promise<void> {
  await Promise.all(baseImages().map((image) => loadImage(engine, image)))
}

export async function loadImage({ docker: run }: EngineClient, { name, archive }: BaseImage): Promise<void> {
  await run('import', '--change', 'ENV PATH=/usr/local/bin:/bin', '--change', 'CMD ["/bin/sh"]', archive, name)
}

const startTimeoutMs = 180_000

type DaemonOptions = {
  readonly hasOwnNetwork: boolean
  /** Its machine's name, for which it gets a namespace, too. */
  readonly hostname?: string
  /** An init is its first process, which takes over what other programs of the machine leave. */
  readonly isMachine?: boolean
  /** Called when its network namespace exists, before dockerd starts in it. */
  readonly connect?: (daemon: ChildProcess) => void
}

/** Waits for the line by which dockerd says that it listens; what it said before explains a failure. */
export async function startDaemon(
  slot: EngineSlot,
  { hasOwnNetwork, hostname, isMachine = false, connect }: DaemonOptions,
): Promise<ChildProcess> {
  const apart = [...(hasOwnNetwork ? ['--net'] : []), ...(hostname === undefined ? [] : ['--uts'])]
  const own = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', ...apart]
  const begin = [
    'sh',
    '-c',
    beginScript,
    isMachine ? 'machine' : 'dockerd',
    hostname ?? '',
    ...options(slot, hasOwnNetwork),
  ]
  const words = ['--pdeathsig=KILL', '--', 'unshare', ...own, '--', ...begin]
  const daemon = spawn('setpriv', words, { stdio: ['pipe', 'ignore', 'pipe'] })
  const deadline = setTimeout(() => daemon.kill('SIGKILL'), startTimeoutMs)
  const said: string[] = []
  const lines = createInterface({ input: daemon.stderr })
  await new Promise<void>((ready, failed) => {
    lines.on('line', (line) => {
      if (said.push(line) > 30) said.shift()
      if (line === IS_APART) {
        try {
          connect?.(daemon)
          daemon.stdin.end('\n')
        } catch (error) {
          failed(error)
          daemon.kill('SIGKILL')
        }
      }
      if (line.includes('API listen on')) ready()
    })
    daemon.once('error', failed)
    daemon.once('exit', () => failed(new Error(`dockerd did not start. It said:\n${said.join('\n')}`)))
  }).finally(() => clearTimeout(deadline))
  return daemon
}

const IS_APART = 'Its namespaces exist'

const beginScript = `
  name=$1
  shift
  [ -z "$name" ] || hostname "$name"
  ip link set lo up || exit
  echo '${IS_APART}' >&2
  read -r _
  [ "$0" != machine ] || exec docker-init -- dockerd "$@"
  exec dockerd "$@"
`

function options({ folder, bridge, subnet, cgroup }: EngineSlot, hasOwnNetwork: boolean): string[] {
  const withoutFirewall = ['--iptables=false', '--ip6tables=false', '--ip-forward=false', '--ip-masq=false']
  return [
    ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'run')],
    ...['--host', `unix://${folder}/docker.sock`, '--pidfile', join(folder, 'docker.pid')],
    ...['--default-address-pool', `base=${subnet},size=26`],
    ...(hasOwnNetwork ? [] : ['--bridge', bridge, ...withoutFirewall]),
    ...['--exec-opt', 'native.cgroupdriver=cgroupfs', '--cgroup-parent', cgroup],
    ...['--config-file', join(folder, 'daemon.json')],
  ]
}

/** `unshare` ends when every process of the namespace has. */
export async function endDaemon(daemon: ChildProcess | undefined): Promise<void> {
  if (!daemon || daemon.exitCode !== null || daemon.signalCode !== null) return
  const ended = once(daemon, 'exit')
  process.kill(firstProcess(daemon), 'SIGKILL')
  await ended
  daemon.stderr?.destroy()
}

/** dockerd, the child of `unshare`. */
export function firstProcess({ pid }: ChildProcess): number {
  const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
  // A signal to the process 0 would reach the tests themselves.
  if (!(child > 0)) throw new Error('dockerd has ended by itself')
  return child
}
