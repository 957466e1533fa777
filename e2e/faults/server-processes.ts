// The processes of steps on the server: those that work in a folder below its home.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

type ServerProcess = {
  readonly pid: number
  readonly group: number
  readonly cwd: string
  readonly words: string
}

export function listServerProcesses(home: string): readonly ServerProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .flatMap((name) => {
      const found = read(Number(name))
      return found?.cwd.startsWith(`${home}/`) ? [found] : []
    })
}

/** Those of the commands of deployments, without the runners around them: they work in the release. */
export const isOfCommand = ({ cwd }: ServerProcess): boolean => cwd.includes('/releases/')

/** The task whose step a process belongs to, by the folder it works in; undefined for those of no step. */
export function taskOf({ cwd }: ServerProcess): number | undefined {
  const task = /\/(?:tasks|releases)\/([0-9]+)(?:\/|$)/.exec(cwd)?.[1]
  return task === undefined ? undefined : Number(task)
}

export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Undefined for one that has ended since it was listed. */
function read(pid: number): ServerProcess | undefined {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`)
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z') return undefined
    return { pid, group: Number(group), cwd, words: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code)))
      return undefined
    throw error
  }
}
