// Runs commands on this machine in shells that stay open: to start a process costs the platform's own thread some milliseconds each time, more
// the larger it is, and everybody else waits for that long.
import type { Command } from '../commands/command.ts'
import { type Conversation, type ConversationOptions, openConversation } from './conversation/conversation.ts'
import { createConversationPool, isConversation } from './conversation/conversation-pool.ts'
import { CommandStopped, type Finished, PlatformStopping, USUAL_LIMIT_MS } from './host.ts'

type ShellOptions = ConversationOptions & {
  /** What fails may leave processes behind that still write to the outputs of its shell: that ends with them. */
  readonly isSpentByFailure?: boolean
}

export type LocalShells = {
  run(command: Command, options?: ShellOptions): Promise<Finished>
  /** Commands that still run are ended, and later ones refused. */
  close(): Promise<void>
}

export function createLocalShells(environment: Readonly<Record<string, string>> = {}): LocalShells {
  const pool = createConversationPool({
    open: () => openConversation({ around: (shell) => shell, environment, isForgotten: true }),
  })
  const inUse = new Set<Conversation>()
  let isClosed = false

  const take = async (): Promise<Conversation> => {
    if (isClosed) throw new PlatformStopping()
    const taken = (await pool.takeFree()) ?? (await pool.open())
    if (!isConversation(taken)) throw new Error(`No shell could be started: ${JSON.stringify(taken)}`)
    inUse.add(taken)
    return taken
  }
  const giveBack = (taken: Conversation): void => {
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
        // With whatever the command has started.
        await taken.close()
        throw error
      } finally {
        giveBack(taken)
      }
    },
    close: async () => {
      isClosed = true
      pool.letGo()
      await Promise.all([...inUse].map((conversation) => conversation.close()))
    },
  }
}
