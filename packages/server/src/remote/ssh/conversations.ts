// The sessions that are open on one connection: a command takes one that is free, or opens one. Few are kept.
import { setTimeout as delay } from 'node:timers/promises'
import type { ServerAddress } from '../../domain/server-address.ts'
import type { Finished } from '../host.ts'
import { type Conversation, openConversation, withoutConnection } from './conversation.ts'
import type { SharedConnection } from './shared-connection.ts'
import { noSession } from './ssh-failure.ts'
import { destination } from './ssh-options.ts'

export type Conversations = {
  /** One that answers, or why there is none, though there is a connection. */
  take(): Promise<Conversation | Finished | 'lost'>
  /** For the next. */
  giveBack(conversation: Conversation): void
  /** The connection is let go of: whatever is in use ends with its command. */
  letGo(): void
}

/** Sessions are scarce on a server, and git needs some: so many wait for the next command. */
const MOST_FREE = 3
/** One that has been silent for longer is asked first: a command that was sent into a dead connection may have run or not. */
const TRUSTED_MS = 1_000
/** How long sshd may refuse a session: it does while git has many of them, and when a connection has just ended. */
const REFUSAL_PATIENCE_MS = 15_000

export function createConversations(server: ServerAddress, connection: SharedConnection): Conversations {
  let free: { readonly conversation: Conversation; readonly since: number }[] = []
  let generation = 0
  const generations = new WeakMap<Conversation, number>()

  const takeFree = async (): Promise<Conversation | undefined> => {
    for (let next = free.pop(); next; next = free.pop()) {
      if (!(await answers(next.conversation, next.since))) continue
      // Whoever uses a connection keeps it.
      await connection.ensure()
      if (next.conversation.isOpen()) return next.conversation
    }
    return undefined
  }

  const open = async (): Promise<Conversation | Finished | 'none' | 'lost'> => {
    await connection.ensure()
    const own = generation
    const opened = await openConversation((word) => [
      ...connection.ssh(),
      ...withoutConnection(word),
      ...destination(server),
    ])
    if (isConversation(opened)) generations.set(opened, own)
    return opened
  }

  return {
    take: async () => {
      for (let deadline: number | undefined; ; await delay(100)) {
        const taken = (await takeFree()) ?? (await open())
        if (taken !== 'none') return taken
        deadline ??= performance.now() + REFUSAL_PATIENCE_MS
        if (performance.now() > deadline) throw noSession(server)
      }
    },
    giveBack: (conversation) => {
      const isKept = conversation.isOpen() && generations.get(conversation) === generation && free.length < MOST_FREE
      if (isKept) free.push({ conversation, since: performance.now() })
      else conversation.close()
    },
    letGo: () => {
      generation++
      for (const { conversation } of free) conversation.close()
      free = []
    },
  }
}

export const isConversation = (taken: Conversation | Finished | 'none' | 'lost'): taken is Conversation =>
  typeof taken === 'object' && 'run' in taken

async function answers(conversation: Conversation, since: number): Promise<boolean> {
  if (!conversation.isOpen()) return false
  if (performance.now() - since < TRUSTED_MS) return true
  return (await conversation.run(['true'], {})) !== 'lost'
}
