// Every change of a running task: written while its lease holds, then announced. Nothing else does either.
import type { StepKind, StepStatus, TaskReason } from '@shipway/api/tasks'
import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import { insertOutput } from '../store/outputs.ts'
import { findStep, insertStep, type StepRecord, updateStep } from '../store/steps.ts'
import type { Tables } from '../store/tables.ts'
import { type Lease, lockLease } from '../store/task-queue.ts'
import { finishTask, updateCommit } from '../store/tasks.ts'

/** Another worker has the task now, or it has ended: whoever meets this stops and writes nothing more. */
export class LostLease extends Error {
  override readonly name = 'LostLease'
}

type PlannedStep = { readonly position: number; readonly phase: string; readonly name: string }

/** Begins a step, or finds what an earlier run of the program left of it. */
export async function beginStep(ctx: Context, lease: Lease, step: PlannedStep): Promise<StepRecord | undefined> {
  const earlier = await write(ctx, lease, async (db) => {
    const known = await findStep(db, lease.taskId, step.position)
    if (known) return known
    const heading = Buffer.from(headingOf(step))
    const from = (await insertOutput(db, lease.taskId, heading)) + heading.length
    await insertStep(db, {
      task_id: lease.taskId,
      position: step.position,
      phase: step.phase,
      name: step.name,
      status: 'running',
      kind: 'check',
      started_at: ctx.clock(),
      output_from: from,
    })
    return undefined
  })
  announceTask(ctx, lease)
  return earlier
}

export type StepEnd = {
  readonly status: Extract<StepStatus, 'succeeded' | 'failed' | 'canceled'>
  readonly kind?: StepKind
  readonly exitCode?: number | null
  readonly message?: string | null
  /** Handed on to the next run of the program. */
  readonly result?: unknown
  /** Lines of the platform's own: with the end or not at all, since a step without an end is done and said again. */
  readonly said?: Uint8Array
}

export async function endStep(ctx: Context, lease: Lease, position: number, end: StepEnd): Promise<void> {
  await write(ctx, lease, async (db) => {
    if (end.said) await insertOutput(db, lease.taskId, end.said)
    const to = await insertOutput(db, lease.taskId, Buffer.from(end.message ? `${end.message}\n` : ''))
    await updateStep(
      db,
      { taskId: lease.taskId, position },
      {
        status: end.status,
        ...(end.kind && { kind: end.kind }),
        exit_code: end.exitCode ?? null,
        message: end.message ?? null,
        result: end.result === undefined ? null : JSON.stringify(end.result),
        finished_at: ctx.clock(),
        output_to: to,
      },
    )
  })
  announceTask(ctx, lease)
}

/** What a step printed, and how far its output on the server has been read by that: one without the other is never kept. */
export async function appendOutput(
  ctx: Context,
  lease: Lease,
  {
    position,
    bytes,
    readBytes,
  }: { readonly position: number; readonly bytes: Uint8Array; readonly readBytes?: number },
): Promise<void> {
  if (bytes.length === 0 && readBytes === undefined) return
  await write(ctx, lease, async (db) => {
    await insertChunks(db, lease.taskId, bytes)
    if (readBytes !== undefined) await updateStep(db, { taskId: lease.taskId, position }, { read_bytes: readBytes })
  })
  ctx.bus.announce({ about: 'output', taskId: lease.taskId })
}

/** Whoever reads a part of the output reads whole chunks. */
const MOST_CHUNK_BYTES = 256 * 1024

async function insertChunks(db: Kysely<Tables>, taskId: number, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; from += MOST_CHUNK_BYTES)
    await insertOutput(db, taskId, bytes.subarray(from, from + MOST_CHUNK_BYTES))
}

export async function noteCommit(
  ctx: Context,
  lease: Lease,
  commit: { readonly sha: string; readonly message: string; readonly author: string },
): Promise<void> {
  await write(ctx, lease, (db) => updateCommit(db, lease.taskId, commit))
  announceTask(ctx, lease)
}

type TaskEnd = { readonly status: 'succeeded' | 'failed' | 'canceled'; readonly reason?: TaskReason }

/** The last write of a task; `together` is done in the same transaction, so that neither is there without the other. */
export async function endTask(
  ctx: Context,
  lease: Lease,
  { status, reason }: TaskEnd,
  together: (db: Kysely<Tables>) => Promise<void> = async () => undefined,
): Promise<void> {
  await write(ctx, lease, async (db) => {
    await together(db)
    await finishTask(db, lease.taskId, { status, at: ctx.clock(), ...(reason && { reason }) })
  })
  announceTask(ctx, lease)
  ctx.bus.announce({ about: 'queue' })
}

async function write<Result>(
  ctx: Context,
  lease: Lease,
  change: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  return ctx.db.transaction().execute(async (db) => {
    if (!(await lockLease(db, lease))) throw new LostLease(`Task ${lease.taskId} is somebody else's now`)
    return change(db)
  })
}

function announceTask(ctx: Context, { taskId }: Lease): void {
  ctx.bus.announce({ about: 'task', taskId })
}

/** One line above the output of a step, so that the raw log reads by itself. */
const headingOf = ({ phase, name }: PlannedStep): string => `==> ${phase}: ${name.replaceAll(/\s+/g, ' ')}\n`
