// Runs commands on this machine in shells that stay open: to start a process costs the platform's own thread some milliseconds each time, more
// the larger it is, and everybody else waits for that long.
import { openConversation } from './conversation/conversation.ts'
import { createConversationPool, isConversation } from './conversation/conversation-pool.ts'
import { CommandStopped, type Host, USUAL_LIMIT_MS } from './host.ts'

export type LocalShells = Pick<Host, 'run'> & { close(): void }

export function createLocalShells(environment: Readonly<Record<string, string>> = {}): LocalShells {
  const pool = createConversationPool({ open: () => openConversation({ around: (shell) => shell, environment }) })
  return {
    run: async (command, options = {}) => {
      const taken = (await pool.takeFree()) ?? (await pool.open())
      if (!isConversation(taken)) throw new Error(`No shell could be started: ${JSON.stringify(taken)}`)
      try {
        if (options.signal?.aborted) throw new CommandStopped('aborted')
        const end = await taken.run(command, { timeoutMs: USUAL_LIMIT_MS, ...options })
        if (end === 'lost') throw new Error('The shell that ran a command was ended')
        return end
      } catch (error) {
        // With whatever the command has started.
        await taken.close()
        throw error
      } finally {
        pool.giveBack(taken)
      }
    },
    close: pool.letGo,
  }
}
