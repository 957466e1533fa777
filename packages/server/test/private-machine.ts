// This machine once more, for scripts that change one: its own processes and network, and folders in which changes stay in memory.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export type PrivateMachine = {
  /** As root. Waits for the end. */
  run(words: readonly string[], options?: { input?: string; environment?: Record<string, string> }): Ended
  /** The words that run a command in it from outside. */
  inside(words: readonly string[]): readonly [string, ...string[]]
  /** Ends every process in it. */
  stop(): Promise<void>
}
export type Ended = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string }

const spaces = ['--mount', '--pid', '--net']

export const hasPrivateMachine =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', [...spaces, '--fork', 'true']).status === 0

export async function startPrivateMachine(): Promise<PrivateMachine> {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-machine-'))
  const words = ['unshare', ...spaces, '--fork', '--kill-child', 'sh', '-c', begin, 'sh', folder]
  // On the death of the tests it ends, and with it whatever runs inside.
  const outer = spawn('setpriv', ['--pdeathsig=KILL', '--', ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(outer, 'exit')
  await new Promise<void>((ready, failed) => {
    createInterface({ input: outer.stdout }).on('line', () => ready())
    outer.once('error', failed)
    outer.once('exit', () => failed(new Error('The private machine did not start')))
  })
  const first = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim()
  const inside = (command: readonly string[]): readonly [string, ...string[]] => [
    'nsenter',
    ...['--target', first, ...spaces, '--', ...command],
  ]
  return {
    inside,
    run: (command, { input = '', environment = {} } = {}) => {
      const assignments = Object.entries({ PATH: usualPath, ...environment }).map(([name, value]) => `${name}=${value}`)
      const [program, ...rest] = inside(['env', '-i', ...assignments, ...command])
      const { status, stdout, stderr } = spawnSync(program, rest, { input, encoding: 'utf8' })
      return { exitCode: status, stdout, stderr }
    },
    stop: async () => {
      outer.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Of folders that a script may change there is a copy above the real one; /run is empty, as on a machine that just started. */
const begin = `set -e
mount --make-rprivate /
mount -t tmpfs machine "$1"
for name in etc home var usr/local; do
  mkdir -p "$1/$name/above" "$1/$name/work"
  mount -t overlay overlay -o "lowerdir=/$name,upperdir=$1/$name/above,workdir=$1/$name/work" "/$name"
done
mount -t tmpfs run /run
mount -t proc proc /proc
ip link set lo up
echo ready
exec sleep infinity`

const usualPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

/** What the real machine has in those folders, to show that it was left alone. */
export const realAccounts = (): string =>
  execFileSync('sh', ['-c', 'cat /etc/passwd; ls /home /etc/ssh'], { encoding: 'utf8' })
