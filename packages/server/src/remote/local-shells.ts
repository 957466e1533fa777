// Runs commands on this machine in shells that stay open. Starting a process blocks the platform's event loop for some milliseconds, more
// the larger the process is.
import type { Command } from '../commands/command.ts'
import { CommandStopped, type Finished, PlatformStopping, USUAL_LIMIT_MS } from './host.ts'
import { openPersistentShell, type PersistentShell, type ShellRunOptions } from './persistent-shell/persistent-shell.ts'
import { createShellPool, isShell } from './persistent-shell/shell-pool.ts'

type ShellOptions = ShellRunOptions & {
  /** A failed command may leave processes that still write to its shell's output, so the shell is not used again. */
  readonly isSpentByFailure?: boolean
}

export type LocalShells = {
  run(command: Command, options?: ShellOptions): Promise<Finished>
  /** Ends running commands and refuses later ones. */
  close(): Promise<void>
}

export function createLocalShells(environment: Readonly<Record<string, string>> = {}): LocalShells {
  const pool = createShellPool({
    open: () => openPersistentShell({ around: (shell) => shell, environment, isForgotten: true }),
  })
  const inUse = new Set<PersistentShell>()
  let isClosed = false

  const take = async (): Promise<PersistentShell> => {
    if (isClosed) throw new PlatformStopping()
    const taken = (await pool.takeFree()) ?? (await pool.open())
    if (!isShell(taken)) throw new Error(`No shell could be started: ${JSON.stringify(taken)}`)
    inUse.add(taken)
    return taken
  }
  const giveBack = (taken: PersistentShell): void => {
    inUse.delete(taken)
    if (isClosed) void taken.close()
    else pool.giveBack(taken)
  }

  return {
    run: async (command, { isSpentByFailure = false, ...options } = {}) => {
      if (options.signal?.aborted) throw new CommandStopped('aborted')
      const taken = await take()
      try {
        if (isClosed) throw new PlatformStopping()
        if (options.signal?.aborted) throw new CommandStopped('aborted')
        const end = await taken.run(command, { timeoutMs: USUAL_LIMIT_MS, ...options })
        if (end !== 'lost') {
          if (isSpentByFailure && end.exitCode !== 0) await taken.close()
          return end
        }
        throw isClosed ? new PlatformStopping() : new Error('The shell that ran a command was ended')
      } catch (error) {
        // Ends the command and all processes that it started.
        await taken.close()
        throw error
      } finally {
        giveBack(taken)
      }
    },
    close: async () => {
      isClosed = true
      pool.letGo()
      await Promise.all([...inUse].map((shell) => shell.close()))
    },
  }
}
