// Checks the machine that the platform runs on: Node, the data folder, its disk, and the programs that the platform starts.
import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { runProcess } from '../../remote/process.ts'
import { type Finding, failed, ok, reasonOf, warning } from './finding.ts'

const OLDEST_NODE = 24

export function checkNode(version = process.versions.node): Finding {
  if (Number.parseInt(version, 10) >= OLDEST_NODE) return ok('node', `Node ${version}`)
  return failed('node', `Node ${version} is too old`, `Install Node ${OLDEST_NODE} or newer`)
}

export async function checkFolder(folder: string): Promise<Finding> {
  try {
    const { mode } = await stat(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    if ((mode & 0o077) === 0) return ok('data folder', `${folder} is this user's alone`)
    return failed('data folder', `${folder} can be accessed by other users of this machine`, `Run: chmod 700 ${folder}`)
  } catch (error) {
    const fix = 'Create it with mode 0700 for the user of the platform, or name another one with SHIPWAY_DATA'
    return failed('data folder', `${folder} cannot be used (${reasonOf(error)})`, fix)
  }
}

const GIB = 1024 ** 3
const MIN_BYTES = GIB / 4
const COMFORTABLE_BYTES = 2 * GIB

export async function checkDisk(folder: string): Promise<Finding> {
  const found = await statfs(folder).catch(reasonOf)
  if (typeof found === 'string')
    return failed('disk', `Its free space cannot be read (${found})`, 'Fix the data folder first')
  const bytes = found.bavail * found.bsize
  const detail = `${(bytes / GIB).toFixed(1)} GiB are free where ${folder} lies`
  const fix = 'Free some, or move the data folder to a larger disk: a full one stops every change'
  if (bytes < MIN_BYTES) return failed('disk', detail, fix)
  return bytes < COMFORTABLE_BYTES ? warning('disk', detail, fix) : ok('disk', detail)
}

const LIMIT_MS = 10_000

/** Docker is needed here only where this machine is itself a server of the platform. */
const PROGRAMS = [
  { program: 'git', flag: '--version', fix: 'Install git: repositories are fetched with it', isNeeded: true },
  { program: 'ssh', flag: '-V', fix: 'Install the OpenSSH client: servers are reached with it', isNeeded: true },
  {
    program: 'docker',
    flag: '--version',
    fix: 'Install Docker if this machine is to run environments',
    isNeeded: false,
  },
] as const

export function checkPrograms(): Promise<readonly Finding[]> {
  return Promise.all(
    PROGRAMS.map(async ({ program, flag, fix, isNeeded }) => {
      const { exitCode, stdout, stderr } = await runProcess([program, flag], { timeoutMs: LIMIT_MS })
      const [line = ''] = Buffer.concat([stdout, stderr]).toString('utf8').trim().split('\n')
      if (exitCode === 0) return ok(program, line)
      return (isNeeded ? failed : warning)(program, `${program} cannot be started`, fix)
    }),
  )
}
