// Every change of a running task, written while its lease holds.
import type { StepKind, StepStatus } from '@shipway/api/tasks'
import type { Context } from '../context.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import type { EndReason } from '../domain/tasks/task.ts'
import type { Change } from '../store/change.ts'
import { replaceServiceFileOfTask } from '../store/projects/service-files.ts'
import { insertOutput, type ReadUpTo } from '../store/tasks/outputs.ts'
import { endRunningSteps, findLastStep, insertStep, updateStep } from '../store/tasks/steps.ts'
import type { Lease } from '../store/tasks/task-queue.ts'
import { finishTask, updateCommit } from '../store/tasks/task-states.ts'
import type { TaskCommit } from '../store/tasks/tasks.ts'

/** Another worker has the task now, or it has ended. The worker that catches this stops and writes nothing more. */
export class LostLease extends Error {
  override readonly name = 'LostLease'
}

type PlannedStep = {
  readonly position: number
  readonly phase: string
  /** Which step of the program it is; never shown. */
  readonly key: string
  readonly name: string
}

/** `ended`: the step before it, which ends in the same transaction, so that a deployment waits for half as many commits. */
export async function beginStep(ctx: Context, lease: Lease, planned: PlannedStep, ended?: EndedStep): Promise<void> {
  const { position, phase, key, name } = planned
  const heading = Buffer.from(headingOf(phase, name))
  const before = ended ? outputOf(ended) : NOTHING
  await write(ctx, lease, Buffer.concat([before, heading]), async (tx, from) => {
    if (ended) await writeEnd(tx, lease, ended, from - heading.length)
    await insertStep(tx, {
      task_id: lease.taskId,
      position,
      phase,
      key,
      name,
      status: 'running',
      kind: 'check',
      started_at: ctx.clock(),
      output_from: from,
    })
  })
}

/** Resumes a step that an earlier run of the program began. */
export async function resumeStep(ctx: Context, lease: Lease): Promise<void> {
  await write(ctx, lease, NOTHING, async () => undefined)
}

export type StepEnd = {
  readonly status: Extract<StepStatus, 'succeeded' | 'failed' | 'canceled'>
  readonly kind?: StepKind
  readonly exitCode?: number | null
  readonly message?: string | null
  /** Passed on to the next run of the program. */
  readonly result?: unknown
  /** The platform's own lines. Written together with the end, since a step without an end is run and logged again. */
  readonly said?: Uint8Array
}

export type EndedStep = { readonly position: number; readonly finishedAt: number; readonly end: StepEnd }

export function endStep(ctx: Context, lease: Lease, position: number, end: StepEnd): Promise<void> {
  return recordEnd(ctx, lease, { position, finishedAt: ctx.clock(), end })
}

/** For a step that ended earlier. */
export async function recordEnd(ctx: Context, lease: Lease, ended: EndedStep): Promise<void> {
  await write(ctx, lease, outputOf(ended), (tx, to) => writeEnd(tx, lease, ended, to))
}

async function writeEnd(tx: Change, { taskId }: Lease, { position, finishedAt, end }: EndedStep, to: number) {
  const values = {
    status: end.status,
    ...(end.kind && { kind: end.kind }),
    exit_code: end.exitCode ?? null,
    message: end.message ?? null,
    result: end.result === undefined ? null : JSON.stringify(end.result),
    finished_at: finishedAt,
    output_to: to - messageOf(end).length,
  }
  await updateStep(tx, { taskId, position }, values)
}

const outputOf = ({ end }: EndedStep): Buffer => Buffer.concat([end.said ?? NOTHING, messageOf(end)])

const messageOf = ({ message }: StepEnd): Buffer => Buffer.from(message ? `${message}\n` : '')

/** Stores what a step printed together with how far its output on the server has been read. */
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
  // Output arrives many times a second. If a power cut loses it, the read offset is lost too, so it is read again.
  const isRepeatable = readBytes !== undefined
  const readUpTo = isRepeatable ? { position, bytes: readBytes } : undefined
  await ctx.change(PLATFORM, (tx) => append(tx, lease, bytes, readUpTo), { isRepeatable })
}

export async function recordCommit(ctx: Context, lease: Lease, commit: TaskCommit): Promise<void> {
  await write(ctx, lease, NOTHING, (tx) => updateCommit(tx, lease.taskId, commit))
}

export async function recordServiceFile(ctx: Context, lease: Lease, content: string): Promise<void> {
  await write(ctx, lease, NOTHING, (tx) => replaceServiceFileOfTask(tx, lease.taskId, content))
}

type TaskEnd = { readonly status: 'succeeded' | 'failed' | 'canceled'; readonly reason?: EndReason }

/** The last write of a task; `together` runs in the same transaction. */
export async function endTask(
  ctx: Context,
  lease: Lease,
  { status, reason }: TaskEnd,
  together: (tx: Change) => Promise<void> = async () => undefined,
): Promise<void> {
  await write(ctx, lease, NOTHING, async (tx) => {
    await together(tx)
    await finishTask(tx, lease.taskId, { status, at: ctx.clock(), ...(reason && { reason }) })
  })
}

type Interrupted = { readonly status: 'succeeded' | 'failed'; readonly sentence: string }

/** Ends a task in the middle of its steps: running steps are closed, and one more step says why. */
export async function interruptTask(
  ctx: Context,
  lease: Lease,
  { status, sentence }: Interrupted,
  together: (tx: Change) => Promise<void>,
): Promise<void> {
  const last = await findLastStep(ctx.db, lease.taskId)
  const [phase, name] = [last?.phase ?? 'Prepare', 'Go on after an interruption']
  const heading = Buffer.from(headingOf(phase, name))
  const message = Buffer.from(`${sentence}\n`)
  const at = ctx.clock()
  await write(ctx, lease, Buffer.concat([heading, message]), async (tx, to) => {
    const outputTo = to - message.length - heading.length
    await endRunningSteps(tx, lease.taskId, { status: status === 'failed' ? 'canceled' : 'skipped', at, outputTo })
    await insertStep(tx, {
      task_id: lease.taskId,
      position: (last?.position ?? 0) + 1,
      phase,
      key: null,
      name,
      status,
      kind: 'check',
      message: sentence,
      started_at: at,
      finished_at: at,
      output_from: to - message.length,
      output_to: to - message.length,
    })
    await together(tx)
    await finishTask(tx, lease.taskId, { status, at, ...(status === 'failed' && { reason: 'interrupted' }) })
  })
}

/** `work` gets the length of the output, these bytes included. */
async function write<Result>(
  ctx: Context,
  lease: Lease,
  bytes: Uint8Array,
  work: (tx: Change, outputLength: number) => Promise<Result>,
): Promise<Result> {
  return ctx.change(PLATFORM, async (tx) => work(tx, await append(tx, lease, bytes)))
}

async function append(tx: Change, lease: Lease, bytes: Uint8Array, readUpTo?: ReadUpTo): Promise<number> {
  const length = await insertOutput(tx, lease, bytes, readUpTo)
  if (length === undefined) throw new LostLease(`Task ${lease.taskId} now belongs to another worker`)
  return length
}

const NOTHING = new Uint8Array()

/** A heading above the output of each step, so that the raw log is readable. */
const headingOf = (phase: string, name: string): string => `==> ${phase}: ${name.replaceAll(/\s+/g, ' ')}\n`
