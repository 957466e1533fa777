// The shells that are open with one machine: a command takes one that is free, or opens one. Few are kept.
import type { Finished } from '../host.ts'
import type { PersistentShell } from './persistent-shell.ts'

export type Taken = PersistentShell | Finished | 'lost'

export type ShellPool = {
  /** One that answers, or why there is none. */
  take(): Promise<Taken>
  /** For the next. */
  giveBack(shell: PersistentShell): void
  /** Those that are free end, and whatever is in use ends with its command. */
  letGo(): void
}

/** Each is a process, and on a server a session, of which there are few: so many wait for the next command. */
const MOST_FREE = 3
/** One that has been silent for longer is asked first: a command that was sent into a dead connection may have run or not. */
const TRUSTED_MS = 1_000
/** A shell that says nothing for so long is given up, however alive its connection looks. */
const ANSWER_MS = 5_000

export function createShellPool({ open }: { open(): Promise<Taken | 'none'> }) {
  let free: { readonly shell: PersistentShell; readonly since: number }[] = []
  let generation = 0
  const generations = new WeakMap<PersistentShell, number>()
  return {
    /** Undefined where none is free. */
    takeFree: async (): Promise<PersistentShell | undefined> => {
      for (let next = free.pop(); next; next = free.pop()) if (await answers(next.shell, next.since)) return next.shell
      return undefined
    },
    /** `none`: it cannot be opened now. */
    open: async (): Promise<Taken | 'none'> => {
      const own = generation
      const opened = await open()
      if (isShell(opened)) generations.set(opened, own)
      return opened
    },
    giveBack: (shell: PersistentShell): void => {
      const isKept = shell.isOpen() && generations.get(shell) === generation && free.length < MOST_FREE
      if (isKept) free.push({ shell, since: performance.now() })
      else void shell.close()
    },
    letGo: (): void => {
      generation++
      for (const { shell } of free) void shell.close()
      free = []
    },
  }
}

export const isShell = (taken: Taken | 'none'): taken is PersistentShell => typeof taken === 'object' && 'run' in taken

async function answers(shell: PersistentShell, since: number): Promise<boolean> {
  if (!shell.isOpen()) return false
  if (performance.now() - since < TRUSTED_MS) return true
  try {
    return (await shell.run(['true'], { timeoutMs: ANSWER_MS })) !== 'lost'
  } catch {
    // Silent, or it says what no shell of ours would: whoever wants one opens another, and learns there what is wrong.
    void shell.close()
    return false
  }
}
