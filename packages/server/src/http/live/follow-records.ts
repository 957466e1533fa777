// Sends a reader the changes of a topic's records, from one journal number on.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { createSignal } from '../../scheduling/signal.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import type { JournalEntry } from '../../store/journal.ts'
import { findOrganization } from '../../store/people/organizations.ts'
import { presentOrganization } from '../present/organization.ts'
import { type Descriptions, encode, type RecordEvent } from './descriptions.ts'
import type { SocketWriter } from './socket-writer.ts'
import type { Tail } from './tail.ts'
import type { Topic } from './topics.ts'

/** Whether a subscription has sent everything, for the heartbeat. */
export type FollowState = { isUpToDate: boolean }

type FollowRequest = {
  readonly topic: Topic
  readonly organizationId: number
  readonly from: number
  readonly writer: SocketWriter
  readonly signal: AbortSignal
  readonly standing: FollowState
  readonly actorNow: () => Actor | undefined
  /** Tells the reader to fetch everything again, and returns the number to continue from. */
  readonly resubscribe: () => Promise<number>
}

type FollowSources = {
  readonly ctx: Context
  readonly tail: Tail
  readonly descriptions: Descriptions
}

export async function followRecords(parts: FollowSources, following: FollowRequest): Promise<void> {
  const { topic, from, writer, signal, standing } = following
  const { tail } = parts
  const changed = createSignal()
  let seq = from
  const endListening = tail.listen(topic.name, (after) => {
    // Nothing of the topic has changed before this number.
    if (standing.isUpToDate) seq = after
    standing.isUpToDate = false
    return changed.fire
  })
  try {
    while (!signal.aborted) {
      changed.forget()
      if (!tail.reaches(seq)) seq = await following.resubscribe()
      const entries = tail.after(topic.name, seq)
      standing.isUpToDate = entries.length === 0
      if (standing.isUpToDate) await changed.next(signal)
      for (const entry of entries) {
        for (const message of await messagesOf(parts, entry, following)) {
          // One change for a thousand readers leaves room for others.
          await yieldToRequests()
          await writer.sendInTurn(message, signal)
        }
        if (signal.aborted) return
        seq = entry.seq
      }
    }
  } finally {
    endListening()
  }
}

async function messagesOf(
  { ctx, tail, descriptions }: FollowSources,
  entry: JournalEntry,
  { topic: { name }, organizationId, actorNow }: FollowRequest,
): Promise<readonly Buffer[]> {
  if (entry.about !== 'organization') return descriptions.of(entry, { name, organizationId })
  const events = await tail.asOfNow(() => describeOrganization(ctx, entry, actorNow()))
  return events.map((one) => encode(one, name, entry))
}

/** Each member sees its own role in it. */
async function describeOrganization(
  ctx: Context,
  { id, how }: JournalEntry,
  actor: Actor | undefined,
): Promise<readonly RecordEvent[]> {
  if (how === 'deleted') return [{ event: 'organization.deleted', data: { id } }]
  const organization = actor && (await findOrganization(ctx.db, actor, id))
  return organization ? [{ event: 'organization.updated', data: presentOrganization(organization) }] : []
}
