// One run of a task's program: records when its steps begin and end, and joins steps that an earlier run left running.
//
// A program can be run again. After a kill, the next worker runs the recipe from its first line: a finished step returns the result in its
// row, a running step is repeated if it may be, and joined if it is durable. A row belongs to a step by position and key
// (`recipes/step-keys.ts`). If an update of the platform put another step there, the task ends with a sentence that says so. A task keeps
// the recipe that it began with.
import type { TaskKind } from '@shipway/api/tasks'
import { safeText } from '@shipway/rules/safe-text'
import type { Context } from '../context.ts'
import type { DoStep, DurableWork, PhaseName, Run, StepIo } from '../deployment/run.ts'
import type { StepTitle } from '../deployment/step-keys.ts'
import { durationInWords } from '../domain/duration.ts'
import { CheckFailed, CommandFailed, StepTimedOut, StepVanished, TaskTimedOut } from '../domain/tasks/step-fault.ts'
import type { EndReason } from '../domain/tasks/task.ts'
import { beginStep, type EndedStep, endStep, LostLease, recordEnd, resumeStep } from '../progress/progress.ts'
import { type Host, PlatformStopping, ServerUnreachable } from '../remote/host.ts'
import type { OutputLimits } from '../remote/output-limits.ts'
import { untilReached } from '../remote/retry-policy.ts'
import { cancelStep, runStep } from '../remote/steps/durable-step.ts'
import { type FollowOptions, followStep } from '../remote/steps/follow-step.ts'
import type { Mask } from '../secrets/mask.ts'
import { findDatabaseSize } from '../store/database-size.ts'
import { findOutputLength } from '../store/tasks/outputs.ts'
import { listStepRecords, type StepRecord } from '../store/tasks/steps.ts'
import type { Lease } from '../store/tasks/task-queue.ts'
import { explain } from './explain.ts'
import { OutputBatch } from './output-batch.ts'
import { reportNow } from './report-now.ts'
import { RunStop } from './run-stop.ts'
import { limitsAfter, limitsWhenFull, StepOutput } from './step-output.ts'

/** A step failed or was canceled: this ends the program, and with it the task. */
export class StepEnded extends Error {
  override readonly name = 'StepEnded'
  readonly status: 'failed' | 'canceled'
  readonly reason: EndReason | undefined

  constructor(status: 'failed' | 'canceled', reason: EndReason | undefined) {
    super(`A step was ${status}`)
    this.status = status
    this.reason = reason
  }
}

/** The recorded steps of an earlier run differ from this program's: none is reused, and no step is started. */
export class CannotResume extends Error {
  override readonly name = 'CannotResume'
  /** A sentence; undefined if the program itself has changed. */
  readonly because: string | undefined

  constructor(because?: string) {
    super('An earlier run of the task did other steps')
    this.because = because
  }
}

type TaskRunOptions = {
  readonly kind: TaskKind
  readonly host: Host
  readonly signal: AbortSignal
  readonly mask: Mask
  /** How long a server may take to end a command and to return its output. */
  readonly cancelMs?: number
}

/** Longer than a server may be out of reach. Without a limit, a task that cannot be canceled would occupy its slot forever. */
const CANCEL_MS = 20 * 60_000

/** How a step reports: in the batch with its output, or at once while its server is silent. */
type StepReporting = { readonly batch: OutputBatch; readonly onOutage: (sentence: string) => Promise<void> }

export class TaskRun implements Run {
  readonly #ctx: Context
  readonly #lease: Lease
  readonly #kind: TaskKind
  readonly #host: Host
  /** Everything that users see of the task goes through it. */
  readonly #mask: Mask
  /** Whether the run goes on, ends or leaves (see run-stop.ts). */
  readonly #stop: RunStop
  readonly #cancelMs: number
  #position = 0
  /** A step that has ended. It is recorded with the next write, usually the start of the next step, to save a transaction. */
  #ended: EndedStep | undefined
  #earlier: Promise<ReadonlyMap<number, StepRecord>> | undefined

  constructor(ctx: Context, lease: Lease, { kind, host, signal, mask, cancelMs = CANCEL_MS }: TaskRunOptions) {
    this.#ctx = ctx
    this.#lease = lease
    this.#kind = kind
    this.#host = host
    this.#mask = mask
    this.#stop = new RunStop(signal)
    this.#cancelMs = cancelMs
  }

  get isCommitted(): boolean {
    return this.#stop.state === 'committed'
  }

  phase(phase: PhaseName): DoStep {
    return (title, work) => this.#step({ phase, ...keyAndNameOf(title) }, work)
  }

  /** If an earlier run has recorded another step here, the task ends with the sentence instead. */
  async refuse(title: StepTitle, sentence: string): Promise<never> {
    const earlier = (await this.#earlierSteps()).get(this.#position + 1)
    if (earlier && !this.#isOf({ phase: 'Prepare', ...keyAndNameOf(title) }, earlier)) throw new CannotResume(sentence)
    return this.phase('Prepare')(title, () => Promise.reject(CheckFailed(sentence)))
  }

  async complete(): Promise<void> {
    if ((await this.#earlierSteps()).has(this.#position + 1)) throw new CannotResume()
    await this.recordEnd()
  }

  /** Records the end of the last step if it is still pending. Call before ending the task. */
  async recordEnd(): Promise<void> {
    if (this.#ended) await recordEnd(this.#ctx, this.#lease, this.#ended)
    this.#ended = undefined
  }

  async #step<Result>(planned: PlannedStep, work: (io: StepIo) => Promise<Result>): Promise<Result> {
    const position = ++this.#position
    const { phase, key, name } = planned
    const earlier = (await this.#earlierSteps()).get(position)
    if (earlier && !this.#isOf(planned, earlier)) throw new CannotResume()
    if (earlier) await this.#resume()
    else await this.#begin({ position, phase, key, name: this.#mask.text(name) })
    if (phase === 'Switch' && (earlier || this.#stop.effect === undefined)) this.#stop.commit()
    if (earlier && earlier.status !== 'running') return replay(earlier)
    const batch = new OutputBatch(this.#ctx, this.#lease, position)
    let warning: string | undefined
    const warn = (sentence: string): void => {
      warning = this.#maskSentence(sentence)
    }
    const attempt = async (): Promise<Result> => {
      // A step that an earlier run began may still run on the server: then the step itself has to cancel it there.
      if (!earlier) this.#stop.signal.throwIfAborted()
      // A step is retried after a broken connection, as it is after a process that died.
      const onOutage = this.#reporterOf(position, batch)
      return untilReached(this.#host.name, { signal: this.#stop.signal, onOutage }, () => {
        batch.takeSaid()
        return work({ ...this.#io(earlier?.readBytes ?? 0, { batch, onOutage }), warn })
      })
    }
    try {
      const result = await attempt().catch((error: unknown) => this.#fail(position, batch, error))
      // Outside of #fail: a database that cannot store the end is no failure of the step.
      await batch.flush()
      const end = { status: 'succeeded', result, said: batch.takeEnd(), ...(warning && { message: warning }) } as const
      this.#ended = { position, finishedAt: this.#ctx.clock(), end }
      return result
    } finally {
      batch.drop()
    }
  }

  async #resume(): Promise<void> {
    await this.recordEnd()
    await resumeStep(this.#ctx, this.#lease)
  }

  async #begin(planned: Parameters<typeof beginStep>[2]): Promise<void> {
    await beginStep(this.#ctx, this.#lease, planned, this.#ended)
    this.#ended = undefined
  }

  /** Rows from before steps had keys are compared by name. */
  #isOf({ phase, key, name }: PlannedStep, earlier: StepRecord): boolean {
    if (earlier.phase !== phase) return false
    return earlier.key === null ? earlier.name === this.#mask.text(name) : earlier.key === key
  }

  /** Steps of earlier runs. Those have lost their lease, so the list no longer changes. */
  #earlierSteps(): Promise<ReadonlyMap<number, StepRecord>> {
    this.#earlier ??= listStepRecords(this.#ctx.db, this.#lease.taskId)
    return this.#earlier
  }

  /** For sentences that users should see before the step ends. */
  #reporterOf(position: number, batch: OutputBatch): (sentence: string) => Promise<void> {
    return async (sentence) => {
      await batch.flush()
      await reportNow(this.#ctx, this.#lease, { position, line: this.#maskSentence(sentence) })
    }
  }

  #io(readBefore: number, reporting: StepReporting): Omit<StepIo, 'warn'> {
    const { batch } = reporting
    return {
      host: this.#host,
      signal: this.#stop.signal,
      say: (line) => batch.say(this.#maskSentence(line, MAX_LINE_CHARACTERS)),
      durably: (work) => this.#durably(work, batch.read ?? readBefore, reporting),
    }
  }

  /** Starts the work or joins it, and continues to read its output at the recorded offset. */
  async #durably(work: DurableWork, readBytes: number, { batch, onOutage }: StepReporting): Promise<void> {
    const { folder, timeoutMs = this.#ctx.config.stepMinutes * 60_000 } = work
    const limits = await this.#findLimits(batch)
    // The lines said before it were stored with the first bytes of its output.
    if (readBytes > 0) batch.takeSaid()
    const output = new StepOutput(batch, { readBytes, limits, mask: this.#mask.stream() })
    let fromOffset = readBytes
    const onOutput = async (bytes: Buffer, offset: number): Promise<void> => {
      await output.take(bytes, offset)
      fromOffset = offset + bytes.length
    }
    const { signal } = this.#stop
    const following = runStep(this.#host, { ...work, timeoutMs }, { fromOffset, onOutput, signal, onOutage })
    const end = await following.catch(async (error: unknown) => {
      if (this.#stop.effect === 'end') {
        output.hurry()
        await this.#cancel(folder, { fromOffset, onOutput }, { batch, onOutage })
      }
      // The process that joins the step reads again what is held here.
      if (this.#stop.effect !== 'leave') output.end()
      throw error
    })
    output.end()
    if (end.state === 'vanished') throw StepVanished()
    if (end.state === 'timed_out') throw StepTimedOut(timeoutMs)
    if (end.exitCode !== 0) throw CommandFailed(end.exitCode)
  }

  async #findLimits(batch: OutputBatch): Promise<OutputLimits> {
    const { db, config } = this.#ctx
    const printed = await findOutputLength(db, this.#lease.taskId)
    const { databaseMebibytes } = config
    if (databaseMebibytes === undefined || !(await findDatabaseSize(db, databaseMebibytes)).isFull)
      return limitsAfter(printed)
    batch.say('The database has reached its size limit. Only the first and last part of long output is kept.')
    return limitsWhenFull(printed)
  }

  /** Returns when nothing of the command runs any more. Retries while the server is out of reach. */
  async #cancel(folder: string, reading: FollowOptions, { batch, onOutage }: StepReporting): Promise<void> {
    const signal = AbortSignal.timeout(this.#cancelMs)
    const retry = {
      signal,
      onOutage: (sentence: string) => onOutage(`The command cannot be ended yet. ${sentence}`),
    }
    try {
      await cancelStep(this.#host, folder, retry)
      // The log also gets what the command printed until then.
      await followStep(this.#host, folder, { ...reading, ...retry })
    } catch (error) {
      if (signal.aborted) {
        const time = durationInWords(this.#cancelMs)
        batch.say(
          `The server ${this.#host.name} did not say within ${time} that the command has ended. See whether it still runs there`,
        )
        return
      }
      if (!(error instanceof ServerUnreachable) || error instanceof PlatformStopping) throw error
      batch.say(this.#maskSentence(`${error.message}. What still runs there is ended when the server answers again`))
    }
  }

  /** Sentences may quote a server, so they are cut. Control characters go before masking, because they could split a secret in two. */
  #maskSentence(text: string, max = MAX_SENTENCE_CHARACTERS): string {
    return this.#mask.text(safeText(text.slice(0, max)))
  }

  async #fail(position: number, batch: OutputBatch, error: unknown): Promise<never> {
    const { effect, reason: stopped } = this.#stop
    if (effect === 'leave' || error instanceof LostLease || error instanceof PlatformStopping) throw error
    await batch.flush()
    const said = batch.takeEnd()
    if (stopped === 'canceled_by_user') {
      await endStep(this.#ctx, this.#lease, position, { status: 'canceled', message: 'Canceled', said })
      throw new StepEnded('canceled', 'canceled_by_user')
    }
    const logging = { log: this.#ctx.log, mask: this.#mask }
    const taskTimedOut = () => TaskTimedOut(this.#kind, this.#ctx.config.taskMinutes * 60_000)
    const { step, reason } = explain(stopped === 'timed_out' ? taskTimedOut() : error, logging)
    const message = step.message && shortenLines(this.#maskSentence(step.message))
    await endStep(this.#ctx, this.#lease, position, { ...step, ...(message && { message }), result: { reason }, said })
    throw new StepEnded('failed', reason)
  }
}

/** After masking: a line that a program printed can have any length. */
const shortenLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.length <= MAX_SENTENCE_LINE ? line : safeText(`${line.slice(0, MAX_SENTENCE_LINE)}…`)))
    .join('\n')

const MAX_SENTENCE_LINE = 2000
/** Room for fifty long sentences. */
const MAX_SENTENCE_CHARACTERS = 64 * 1024
/** For one line of output: the plan of a deployment may be long. */
const MAX_LINE_CHARACTERS = 256 * 1024

type PlannedStep = { readonly phase: PhaseName; readonly key: string; readonly name: string }

const keyAndNameOf = (title: StepTitle): Pick<PlannedStep, 'key' | 'name'> =>
  typeof title === 'string' ? { key: title, name: title } : title

/** The earlier run stored the result as JSON. Safe to reuse: the key says that it was the same step. */
function replay<Result>(earlier: StepRecord): Result {
  const result = JSON.parse(earlier.result ?? 'null')
  if (earlier.status === 'succeeded') return result
  if (earlier.status === 'canceled') throw new StepEnded('canceled', 'canceled_by_user')
  throw new StepEnded('failed', result?.reason)
}
