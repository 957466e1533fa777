// A fresh machine with a real systemd: a container of systemd-nspawn on a copy-on-write view of the Debian root, with a network of its own.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { until } from '../journey.ts'
import { debianRoot, type RootKind } from './debian-root.ts'

type Ran = { readonly status: number | null; readonly output: string }

export type Machine = {
  /** Its root folder, from outside. */
  readonly root: string
  run(...words: readonly string[]): Ran
  /** Runs beside others; the output is complete when it ends. */
  start(...words: readonly string[]): Promise<Ran>
  copy(folder: string, to: string): void
  write(file: string, text: string): void
  /** Switches it off hard and on again. */
  reboot(): Promise<void>
  stop(): Promise<void>
}

/** A `server` has a Docker Engine, and the address 192.0.2.10 in a network where it is alone. */
export async function startMachine(kind: RootKind = 'bare'): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-machine-'))
  const [upper, work, root, images] = [
    join(folder, 'upper'),
    join(folder, 'work'),
    join(folder, 'root'),
    join(folder, 'images'),
  ]
  for (const path of [upper, work, root, images]) mkdirSync(path)
  execFileSync('mount', [
    '-t',
    'overlay',
    'overlay',
    '-o',
    `lowerdir=${debianRoot(kind)},upperdir=${upper},workdir=${work}`,
    root,
  ])
  if (kind === 'server') prepareServer(root)
  const options = kind === 'server' ? ['--capability=all', `--bind=${images}:/var/lib/docker`] : []
  let booted = await boot(root, options)
  const enter = (words: readonly string[]): readonly string[] => [
    ...['--target', String(booted.leader), '--mount', '--uts', '--ipc', '--net', '--pid', '--', ...words],
  ]
  return {
    root,
    run: (...words) => {
      const { status, stdout, stderr } = spawnSync('nsenter', enter(words), { encoding: 'utf8', maxBuffer: 64 << 20 })
      return { status, output: `${stdout}${stderr}` }
    },
    start: async (...words) => {
      const child = spawn('nsenter', enter(words), { stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => (output += text))
      const [status] = await once(child, 'close')
      return { status, output }
    },
    copy: (from, to) => cpSync(from, join(root, to), { recursive: true }),
    write: (file, text) => writeFileSync(join(root, file), text),
    reboot: async () => {
      await switchOff(booted.child)
      booted = await boot(root, options)
    },
    stop: async () => {
      await switchOff(booted.child)
      execFileSync('umount', [root])
      rmSync(folder, { recursive: true })
    },
  }
}

type Booted = { readonly child: ChildProcess; readonly leader: number }

/** On hosts with the first version of control groups, systemd takes them only if told, and the machine can only read them. */
const hasOldGroups = existsSync('/sys/fs/cgroup/memory')
const MAKE_GROUPS_WRITABLE =
  'mount -o remount,bind,rw /sys/fs/cgroup; for one in /sys/fs/cgroup/*/; do mount -o remount,bind,rw "$$one"; done'
const MAKE_NETWORK = 'ip link add lan type bridge; ip address add 192.0.2.10/24 dev lan; ip link set lan up'

function prepareServer(root: string): void {
  // It has no kernel of its own.
  symlinkSync('/dev/null', join(root, 'etc/systemd/system/systemd-modules-load.service'))
  const commands = [MAKE_NETWORK, ...(hasOldGroups ? [MAKE_GROUPS_WRITABLE] : [])]
  const unit = [
    '[Unit]',
    'Before=docker.service containerd.service ssh.service',
    '[Service]',
    'Type=oneshot',
    ...commands.map((command) => `ExecStart=/bin/sh -c '${command}'`),
  ]
  writeFileSync(join(root, 'etc/systemd/system/machine.service'), unit.map((line) => `${line}\n`).join(''))
  const wanted = join(root, 'etc/systemd/system/multi-user.target.wants')
  mkdirSync(wanted, { recursive: true })
  symlinkSync('/etc/systemd/system/machine.service', join(wanted, 'machine.service'))
}

async function boot(root: string, options: readonly string[]): Promise<Booted> {
  const name = basename(join(root, '..')).toLowerCase()
  const words = [
    '--quiet',
    '--register=no',
    '--keep-unit',
    '--private-network',
    '--link-journal=no',
    '-M',
    name,
    '-D',
    root,
    ...options,
    '-b',
    ...(options.length > 0 && hasOldGroups ? ['SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1'] : []),
  ]
  // Docker writes settings of the kernel, and its containers use calls that systemd-nspawn would not let through.
  const env =
    options.length === 0 ? process.env : { ...process.env, SYSTEMD_NSPAWN_API_VFS_WRITABLE: '1', SYSTEMD_SECCOMP: '0' }
  const child = spawn('systemd-nspawn', words, { stdio: 'ignore', env })
  const leader = await until(async () => leaderThatIsUp(child.pid ?? 0), 'systemd is up')
  return { child, leader }
}

function leaderThatIsUp(pid: number): number | undefined {
  const leader = childOf(pid)
  // The first child of systemd-nspawn prepares the machine and ends. It sees the processes of this machine.
  if (leader === undefined || processesSeenBy(leader) === processesSeenBy('self')) return undefined
  const words = ['--target', String(leader), '--mount', '--pid', '--', 'systemctl', 'is-system-running']
  return /running|degraded/.test(String(spawnSync('nsenter', words).stdout)) ? leader : undefined
}

/** A name of the group of processes; undefined once the process has ended. */
function processesSeenBy(pid: number | 'self'): string | undefined {
  return spawnSync('readlink', [`/proc/${pid}/ns/pid`], { encoding: 'utf8' }).stdout || undefined
}

async function switchOff(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const leader = childOf(child.pid ?? 0)
  if (leader !== undefined) process.kill(leader, 'SIGKILL')
  await ended
}

/** The first process of the container. */
function childOf(pid: number): number | undefined {
  const file = `/proc/${pid}/task/${pid}/children`
  if (existsSync(file)) return Number(readFileSync(file, 'utf8').split(' ')[0]) || undefined
  const parentOf = (other: string): number | undefined => {
    const stat = `/proc/${other}/stat`
    return existsSync(stat)
      ? Number(
          readFileSync(stat, 'utf8')
            .replace(/^.*\) \S /s, '')
            .split(' ')[0],
        )
      : undefined
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find((name) => parentOf(name) === pid) as number | undefined
}
