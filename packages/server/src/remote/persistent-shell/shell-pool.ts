// Pool of open shells on one machine: a command takes a free one or opens another. Few are kept.
import type { Finished } from '../host.ts'
import type { PersistentShell } from './persistent-shell.ts'

export type OpenResult = PersistentShell | Finished | 'lost'

export type ShellPool = {
  /** A shell that answers, or the reason why there is none. */
  take(): Promise<OpenResult>
  /** Returns a shell to the pool. */
  giveBack(shell: PersistentShell): void
  /** Closes the free shells now, and those in use after their command. */
  letGo(): void
}

/** Each is a process, and on a server one of few sessions, so only this many wait for the next command. */
const MOST_FREE = 3
/** A shell that has been idle for longer is checked first: a command sent into a dead connection may or may not have run. */
const TRUSTED_MS = 1_000
/** A shell that does not answer within this time is closed, even if its connection looks alive. */
const ANSWER_MS = 5_000

export function createShellPool({ open }: { open(): Promise<OpenResult | 'none'> }) {
  let free: { readonly shell: PersistentShell; readonly since: number }[] = []
  let generation = 0
  const generations = new WeakMap<PersistentShell, number>()
  return {
    /** Undefined if none is free. */
    takeFree: async (): Promise<PersistentShell | undefined> => {
      for (let next = free.pop(); next; next = free.pop()) if (await answers(next.shell, next.since)) return next.shell
      return undefined
    },
    /** `none`: it cannot be opened now. */
    open: async (): Promise<OpenResult | 'none'> => {
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

export const isShell = (taken: OpenResult | 'none'): taken is PersistentShell =>
  typeof taken === 'object' && 'run' in taken

async function answers(shell: PersistentShell, since: number): Promise<boolean> {
  if (!shell.isOpen()) return false
  if (performance.now() - since < TRUSTED_MS) return true
  try {
    return (await shell.run(['true'], { timeoutMs: ANSWER_MS })) !== 'lost'
  } catch {
    // It did not answer, or answered wrongly. The caller opens another one, and gets the error there if something is wrong.
    void shell.close()
    return false
  }
}
