// The conversations that are open with one machine: a command takes one that is free, or opens one. Few are kept.
import type { Finished } from '../host.ts'
import type { Conversation } from './conversation.ts'

export type Taken = Conversation | Finished | 'lost'

export type ConversationPool = {
  /** One that answers, or why there is none. */
  take(): Promise<Taken>
  /** For the next. */
  giveBack(conversation: Conversation): void
  /** Those that are free end, and whatever is in use ends with its command. */
  letGo(): void
}

/** Each is a process, and on a server a session, of which there are few: so many wait for the next command. */
const MOST_FREE = 3
/** One that has been silent for longer is asked first: a command that was sent into a dead connection may have run or not. */
const TRUSTED_MS = 1_000
/** A shell that says nothing for so long is given up, however alive its connection looks. */
const ANSWER_MS = 5_000

export function createConversationPool({ open }: { open(): Promise<Taken | 'none'> }) {
  let free: { readonly conversation: Conversation; readonly since: number }[] = []
  let generation = 0
  const generations = new WeakMap<Conversation, number>()
  return {
    /** Undefined where none is free. */
    takeFree: async (): Promise<Conversation | undefined> => {
      for (let next = free.pop(); next; next = free.pop())
        if (await answers(next.conversation, next.since)) return next.conversation
      return undefined
    },
    /** `none`: it cannot be opened now. */
    open: async (): Promise<Taken | 'none'> => {
      const own = generation
      const opened = await open()
      if (isConversation(opened)) generations.set(opened, own)
      return opened
    },
    giveBack: (conversation: Conversation): void => {
      const isKept = conversation.isOpen() && generations.get(conversation) === generation && free.length < MOST_FREE
      if (isKept) free.push({ conversation, since: performance.now() })
      else void conversation.close()
    },
    letGo: (): void => {
      generation++
      for (const { conversation } of free) void conversation.close()
      free = []
    },
  }
}

export const isConversation = (taken: Taken | 'none'): taken is Conversation =>
  typeof taken === 'object' && 'run' in taken

async function answers(conversation: Conversation, since: number): Promise<boolean> {
  if (!conversation.isOpen()) return false
  if (performance.now() - since < TRUSTED_MS) return true
  try {
    return (await conversation.run(['true'], { timeoutMs: ANSWER_MS })) !== 'lost'
  } catch {
    // Silent, or it says what no shell of ours would: whoever wants one opens another, and learns there what is wrong.
    void conversation.close()
    return false
  }
}
