// The processes of this machine as any user sees them in /proc.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The words of each. */
export const listProcesses = (): string[] => ofEach(wordsOf)

/** Those whose words hold this text. */
export const findProcesses = (text: string): number[] =>
  ofEach((pid) => (wordsOf(pid).includes(text) ? pid : ''))
    .filter((pid) => pid !== '')
    .map(Number)

const wordsOf = (pid: string): string => readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')

/** The folder that each works in. */
export const listWorkingFolders = (): string[] => ofEach((pid) => readlinkSync(`/proc/${pid}/cwd`))

export type ListedProcess = { readonly pid: number; readonly parent: number; readonly program: string }

/** Each with its parent. */
export const listFamilies = (): ListedProcess[] =>
  ofEach((pid) => readFileSync(`/proc/${pid}/stat`, 'latin1')).map((stat) => {
    const [, pid, program = '', parent] = /^(\d+) \((.*)\) \S (\d+)/s.exec(stat) ?? []
    return { pid: Number(pid), parent: Number(parent), program }
  })

/** Those that a process has started and that run this program. */
export const countChildren = (parent: number | undefined, program: string): number =>
  listFamilies().filter((each) => each.program === program && each.parent === parent).length

/** A process that was not waited for is still listed, and has ended. */
export const isAlive = (pid: number | string): boolean =>
  unlessEnded(() => !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) ?? false

function ofEach(read: (pid: string) => string): string[] {
  const processes = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))
  return processes.flatMap((pid) => unlessEnded(() => read(pid)) ?? [])
}

/** A process may end at any moment, also between two looks at it: what cannot be read any more is not there. */
function unlessEnded<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
