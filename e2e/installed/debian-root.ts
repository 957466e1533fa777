// Root folders of Debian with systemd, made by debootstrap from the machine's own package source, and kept for the next run.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOnThePath } from '../../tools/real-parts/programs.ts'

/** Of a machine that people rent: what is more, install.sh has to install. */
const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates', 'curl', 'procps', 'iproute2']
/** They are there already, because the machine of the test has no network of others: what install.sh would install. */
const INSTALLED = ['git', 'openssh-client', 'openssl']

/** Of a machine that runs applications, too, with a user's own programs. The setup line would install the first line of them. */
const OF_A_SERVER = [
  ...['docker.io', 'docker-cli', 'docker-compose', 'docker-buildx', 'iptables', 'haproxy', 'socat'],
  ...['openssh-server', 'sudo', 'nodejs', 'busybox-static'],
]

/** Made once, and kept for the next run. */
export const KEPT = join(import.meta.dirname, '../../.real-parts')

/** `bare` is of the same release of Debian as this machine. `server` is Debian 13, which has a Docker that is new enough. */
export type RootKind = 'bare' | 'server'

/** Takes minutes the first time. */
export function debianRoot(kind: RootKind = 'bare'): string {
  const root = join(KEPT, kind === 'bare' ? 'debian-root' : 'debian-root-server')
  if (existsSync(root)) return root
  for (const program of ['debootstrap', 'systemd-nspawn']) {
    if (!isOnThePath(program)) {
      execFileSync('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', 'debootstrap', 'systemd-container'], {
        stdio: ['ignore', 2, 2],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    }
  }
  const { suite: own, mirror } = packageSource()
  const [suite, packages] =
    kind === 'bare' ? [own, [...PACKAGES, ...INSTALLED]] : ['trixie', [...PACKAGES, ...INSTALLED, ...OF_A_SERVER]]
  const draft = `${root}.partial`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(KEPT, { recursive: true })
  const words = ['--variant=minbase', `--include=${packages.join(',')}`, suite, draft, mirror]
  const made = spawnSync('debootstrap', words, { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`debootstrap failed: ${made.stdout.slice(-2000)}${made.stderr}`)
  // debootstrap leaves it out, and every machine has it.
  writeFileSync(join(draft, 'etc/hosts'), '127.0.0.1 localhost\n')
  renameSync(draft, root)
  return root
}

/** The first source of packages that this machine uses for its own release of Debian. */
function packageSource(): { readonly suite: string; readonly mirror: string } {
  const [, suite = ''] = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
  const folder = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...readdirSync(folder).map((name) => join(folder, name))].filter(existsSync)
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n\n')
  const stanza = text.split(/\n\s*\n/).find((part) => new RegExp(`^Suites:.*\\b${suite}\\b`, 'm').test(part))
  const mirror =
    /^URIs:\s*(\S+)/m.exec(stanza ?? '')?.[1] ??
    new RegExp(`^deb\\s+(?:\\[[^\\]]*\\]\\s+)?(\\S+)\\s+${suite}\\s`, 'm').exec(text)?.[1]
  if (suite === '' || mirror === undefined)
    throw new Error('This machine has no Debian package source to make a root from')
  return { suite, mirror }
}
