// A real sshd for tests: own configuration, own host key, own port on 127.0.0.1, connections that can be cut or paused.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../tools/free-port.ts'
import type { ServerAddress } from '../src/domain/server-address.ts'
import { generateSshKey } from '../src/secrets/ssh-key.ts'
import { listFamilies } from './process-list.ts'
import { undoLater } from './undo.ts'

export const hasSshd = existsSync('/usr/sbin/sshd')

/** For hosts of a test that has no records: servers may be on this machine, and each is its organization's own. */
export const loopbackServers = { allowedNetworks: ['127.0.0.0/8'], onSignIn: async () => 'own' as const }

export type Sshd = {
  readonly port: number
  /** `ssh-ed25519 AAAA…` */
  readonly hostKey: string
  /** A server record that leads here and was set up; the host key is not pinned unless given. */
  address(changes?: Partial<ServerAddress>): ServerAddress
  /** Lets in certificates that name one of these, and no others. */
  letIn(...principals: readonly string[]): void
  /** The lines that sshd has logged so far, over restarts too. */
  log(): readonly string[]
  /** Makes every connection fall silent, as a network does that drops all packets; gives the processes behind them. */
  pauseConnections(): readonly number[]
  resumeConnections(): Promise<void>
  /** Kills the processes behind the connections. */
  cutConnections(): void
  /** The same port and keys; connections that are open end. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** What makes several sshd several servers. */
export type OwnServer = Readonly<{
  /** Commands begin in it, and it is their HOME. */
  home: string
  /** Such as the DOCKER_HOST of an engine. The values may hold no double quote. */
  environment?: Readonly<Record<string, string>>
  /** The system's home is that folder too, for commands of certificates, which sshd begins there itself. By root alone. */
  isMounted?: true
  /** Put before each command, such as the words that enter another network namespace. */
  through?: readonly string[]
}>

type SshdOptions = Readonly<{
  /** The line of the authority that it trusts. */
  authorityKey?: string
  /** Of the servers that it is; that of `address()` unless given. */
  principals?: readonly string[]
  /** Lines of its configuration, which win. */
  settings?: readonly string[]
  server?: OwnServer
}>

/** As the platform makes them. */
export const testPrincipal = `shipway-1-${'0123456789abcdef'.repeat(2)}`

export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const { authorityKey = '', principals = [testPrincipal], settings = [], server } = options
  const folder = mkdtempSync(join(tmpdir(), 'shipway-sshd-'))
  // Where sshd, started by root, locks itself in before a user has signed in.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  mkdirSync(join(folder, 'home'))
  const { publicKey: hostKey, privateKey } = generateSshKey('')
  writeFileSync(join(folder, 'host-key'), privateKey.reveal(), { mode: 0o600 })
  const port = await freePort()
  writeFileSync(join(folder, 'authority.pub'), `${authorityKey}\n`)
  writeFileSync(
    join(folder, 'config'),
    [...settings, ...(server ? serverSettings(server) : []), ...ownSettings(folder, port), ''].join('\n'),
  )
  const letIn = (...names: readonly string[]): void =>
    writeFileSync(join(folder, 'principals'), names.map((name) => `${name}\n`).join(''))
  letIn(...principals)
  const logFile = join(folder, 'log')
  const mounted = server?.isMounted ? server.home : undefined
  let daemon = await start(folder, mounted)
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of connectionsOf(daemon.pid)) sendSignal(pid, name)
  }
  let resume = async (): Promise<void> => undefined
  const end = async (): Promise<void> => {
    signal('SIGKILL')
    await resume()
    await endDaemon(daemon)
  }
  return {
    port,
    hostKey,
    address: (changes = {}) => ({
      id: 1,
      name: 'test server',
      connection: 'ssh',
      hostname: '127.0.0.1',
      port,
      hostKey: null,
      unixUser: userInfo().username,
      principal: testPrincipal,
      hasSignedIn: true,
      mayBePrivate: false,
      runtime: 'compose',
      ...changes,
    }),
    letIn,
    log: () => linesOf(logFile),
    pauseConnections: () => {
      const pids = connectionsOf(daemon.pid)
      // A stopped process cannot end by itself: killed tests must not leave any behind.
      resume = undoLater('kill -s CONT -- "$@"', pids.map(String))
      for (const pid of pids) sendSignal(pid, 'SIGSTOP')
      return pids
    },
    resumeConnections: () => {
      signal('SIGCONT')
      return resume()
    },
    cutConnections: () => signal('SIGKILL'),
    restart: async () => {
      await end()
      daemon = await start(folder, mounted)
    },
    stop: async () => {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** sshd takes only the first SetEnv, and begins in the home that the system knows. */
function serverSettings({ home, environment = {}, isMounted, through = [] }: OwnServer): string[] {
  const variables = Object.entries({ ...environment, HOME: home }).map(([name, value]) => `"${name}=${value}"`)
  if (isMounted) return [`SetEnv ${variables.join(' ')}`]
  const shell = [...through, '"$SHELL"'].join(' ')
  return [`SetEnv ${variables.join(' ')}`, `ForceCommand cd "$HOME" && exec ${shell} -c "$SSH_ORIGINAL_COMMAND"`]
}

function ownSettings(folder: string, port: number): string[] {
  return [
    'ListenAddress 127.0.0.1',
    `Port ${port}`,
    `HostKey ${folder}/host-key`,
    `TrustedUserCAKeys ${folder}/authority.pub`,
    `AuthorizedPrincipalsFile ${folder}/principals`,
    `PidFile ${folder}/pid`,
    'AuthorizedKeysFile none',
    'AuthenticationMethods publickey',
    'PermitRootLogin yes',
    'StrictModes no',
    'UsePAM no',
    'MaxSessions 10',
    'MaxStartups 100',
    // What ssh agrees on otherwise takes it seventy milliseconds for each connection, of which the tests open thousands.
    'KexAlgorithms curve25519-sha256',
    'AcceptEnv GIT_PROTOCOL',
    'LogLevel VERBOSE',
    // An empty one: the home of the user who runs the tests may have a long .bashrc, which is read at every command.
    `SetEnv HOME=${folder}/home`,
  ]
}

/**
 * Waits for the line by which sshd says that it listens. On Linux it ends when the tests are killed. It writes its log to a file: whoever has
 * an answer of it finds there what it had said before, which may not have come through a pipe yet.
 */
async function start(folder: string, mounted: string | undefined): Promise<ChildProcess> {
  const log = join(folder, 'log')
  const sshd = ['/usr/sbin/sshd', '-D', '-e', '-f', join(folder, 'config')]
  const mount = 'mount --make-rprivate / && mount --bind "$1" "$2" && shift 2 && exec "$@"'
  const apart = ['unshare', '--mount', 'sh', '-c', mount, 'sh']
  const words = mounted === undefined ? sshd : [...apart, mounted, userInfo().homedir, ...sshd]
  const [program = '', ...rest] = process.platform === 'linux' ? ['setpriv', '--pdeathsig=KILL', '--', ...words] : words
  const output = openSync(log, 'a')
  const before = linesOf(log).length
  // In a group of its own, so that Ctrl-C leaves it to the code that stops it.
  const daemon = spawn(program, rest, { stdio: ['ignore', 'ignore', output], detached: true })
  closeSync(output)
  await once(daemon, 'spawn')
  while (!linesOf(log).slice(before).some(saysThatItListens)) {
    if (daemon.exitCode !== null || daemon.signalCode !== null)
      throw new Error(`sshd did not start. It said:\n${linesOf(log).join('\n')}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return daemon
}

const saysThatItListens = (line: string): boolean => line.startsWith('Server listening on')

/** Without one that is not complete yet. */
const linesOf = (log: string): string[] =>
  readFileSync(log, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => line.trimEnd())

async function endDaemon(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return
  const ended = once(daemon, 'exit')
  daemon.kill('SIGTERM')
  await ended
}

/** The processes of sshd beneath its daemon, without the commands that they run. */
function connectionsOf(parent: number | undefined): number[] {
  if (parent === undefined) return []
  const processes = listFamilies().filter(({ program }) => program.startsWith('sshd'))
  const beneath = (pid: number): number[] =>
    processes.filter((each) => each.parent === pid).flatMap((each) => [each.pid, ...beneath(each.pid)])
  return beneath(parent)
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It may have ended since it was listed.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
