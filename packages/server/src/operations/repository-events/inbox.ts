/**
 * The inbox: applies stored deliveries, those of a project one after the other, in the order in which they were stored.
 *
 *     stored ──► effect and verdict in one transaction ──► accepted, duplicate, ignored
 *       ▲ │ it fails
 *       └─┘ a few times, later each time; then ──► failed, and the next one's turn
 *
 * A process applies what it has stored at once. What it does not get to (it is killed, the database is down), any process applies
 * that polls for it.
 */
import type { Context } from '../../context.ts'
import { withDeadline } from '../../scheduling/deadline.ts'
import { limitConcurrency } from '../../scheduling/limit-concurrency.ts'
import { listProjectsWithStored } from '../../store/repository-events/inbox.ts'
import { applyOldestDelivery, prepareOldestDelivery } from './apply-oldest-delivery.ts'
import { fetchEarly } from './fetch-early.ts'

export type DeliveryOutcome = {
  /** `stored`: it is safe and will be applied. */
  readonly verdict: 'accepted' | 'duplicate' | 'ignored' | 'failed' | 'stored'
  readonly reason: string | null
}

type Wait = { readonly projectId: number; readonly id: number; readonly mostMs: number }

/** Waits for the outcome of a delivery that this process has just stored; undefined if that takes longer, or another process did it. */
export async function awaitEffect(ctx: Context, { projectId, id, mostMs }: Wait): Promise<DeliveryOutcome | undefined> {
  const { waiters, done, isStopped } = inboxOf(ctx)
  if (isStopped || done.delete(id)) return undefined
  const { promise, resolve } = Promise.withResolvers<DeliveryOutcome | undefined>()
  waiters.set(id, { projectId, resolve })
  workOn(ctx, projectId)
  try {
    return await withDeadline(promise, mostMs, () => undefined)
  } finally {
    waiters.delete(id)
  }
}

/** Starts on every delivery that is due, whichever process stored it. */
export async function workInbox(ctx: Context): Promise<void> {
  for (const projectId of await listProjectsWithStored(ctx.db)) workOn(ctx, projectId)
}

/** Finishes the current delivery and starts no other: the rest stays stored. */
export function stopInbox(ctx: Context): void {
  inboxOf(ctx).isStopped = true
}

type Inbox = {
  /** Few at once: each holds a connection to the database. */
  readonly inTurn: ReturnType<typeof limitConcurrency>
  /** Projects under way; true if something arrived since the last check. */
  readonly wanted: Map<number, boolean>
  /** By the delivery that a request waits for. */
  readonly waiters: Map<number, { projectId: number; resolve(outcome: DeliveryOutcome | undefined): void }>
  /** The last deliveries that ended before their request began to wait, so that it does not. */
  readonly done: Set<number>
  isStopped: boolean
}

const EFFECTS_AT_ONCE = 2

const inboxes = new WeakMap<Context['db'], Inbox>()

function inboxOf(ctx: Context): Inbox {
  const known = inboxes.get(ctx.db)
  if (known) return known
  const inbox: Inbox = {
    inTurn: limitConcurrency({ concurrency: EFFECTS_AT_ONCE, maxQueued: Number.POSITIVE_INFINITY }),
    wanted: new Map(),
    waiters: new Map(),
    done: new Set(),
    isStopped: false,
  }
  inboxes.set(ctx.db, inbox)
  ctx.bus.listen((event) => {
    if (event.about === 'delivery') noteDone(inbox, event.id)
  })
  return inbox
}

const MOST_DONE = 1_000

function noteDone({ waiters, done }: Inbox, id: number): void {
  const waiter = waiters.get(id)
  if (waiter) {
    // In the next turn: if this process applied it, the waiter has the outcome by then.
    setImmediate(() => waiter.resolve(undefined))
    return
  }
  done.add(id)
  const [oldest] = done
  if (done.size > MOST_DONE && oldest !== undefined) done.delete(oldest)
}

function workOn(ctx: Context, projectId: number): void {
  const { wanted } = inboxOf(ctx)
  const isWorkedOn = wanted.has(projectId)
  wanted.set(projectId, true)
  if (!isWorkedOn) ctx.afterwards(() => work(ctx, projectId))
}

async function work(ctx: Context, projectId: number): Promise<void> {
  const inbox = inboxOf(ctx)
  const { wanted, waiters } = inbox
  try {
    while (wanted.get(projectId) && !inbox.isStopped) {
      wanted.set(projectId, false)
      await takeAll(ctx, inbox, projectId)
    }
  } finally {
    wanted.delete(projectId)
    // Not due yet, or applied by another process.
    for (const waiter of waiters.values()) if (waiter.projectId === projectId) waiter.resolve(undefined)
  }
}

/** As many as are due. Each waits for its turn among those of other projects. */
async function takeAll(ctx: Context, inbox: Inbox, projectId: number): Promise<void> {
  while (!inbox.isStopped) {
    const isFirstTry = (id: number): boolean => inbox.waiters.has(id)
    const prepared = await prepareOldestDelivery(ctx, projectId)
    if (inbox.isStopped) return
    const taken = prepared && (await inbox.inTurn(() => applyOldestDelivery(ctx, projectId, { prepared, isFirstTry })))
    if (!taken) return
    inbox.waiters.get(taken.id)?.resolve(taken.outcome)
    if (taken.deploys !== null) fetchEarly(ctx, { projectId, branch: taken.deploys })
  }
}
