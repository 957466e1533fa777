// The processes of this machine as anybody on it sees them, as /proc tells.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The words of each. */
export const listProcesses = (): string[] =>
  ofEach((pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' '))

/** The folder that each works in. */
export const listWorkingFolders = (): string[] => ofEach((pid) => readlinkSync(`/proc/${pid}/cwd`))

/** Those that a process has started and that run this program. */
export const countChildren = (parent: number | undefined, program: string): number =>
  ofEach((pid) => readFileSync(`/proc/${pid}/stat`, 'latin1')).filter((stat) => {
    const [, name, parentPid] = /^\d+ \((.*)\) \S (\d+)/s.exec(stat) ?? []
    return name === program && Number(parentPid) === parent
  }).length

/** A process that nobody has asked for its exit code is still listed, and has ended. */
export function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'latin1'))
}

function ofEach(tell: (pid: string) => string): string[] {
  const processes = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))
  return processes.flatMap((pid) => {
    try {
      return [tell(pid)]
    } catch {
      // It has ended since it was listed.
      return []
    }
  })
}
