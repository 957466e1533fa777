// One run of a task's program: begins and ends its steps in the records, and joins what an earlier run left.
import type { TaskKind, TaskReason } from '@shipway/api/tasks'
import type { Context } from '../context.ts'
import { durationInWords } from '../domain/duration.ts'
import { safeText } from '../domain/safe-text.ts'
import { CheckFailed, CommandFailed, StepTimedOut, StepVanished, TaskTimedOut } from '../domain/tasks/step-fault.ts'
import { beginStep, endStep, LostLease, resumeStep } from '../progress/progress.ts'
import type { DoStep, DurableWork, PhaseName, Run, StepIo } from '../recipes/run.ts'
import type { StepTitle } from '../recipes/step-keys.ts'
import { type Host, PlatformStopping, ServerUnreachable } from '../remote/host.ts'
import { untilReached } from '../remote/patience.ts'
import { cancelStep, startStep } from '../remote/steps/durable-step.ts'
import type { StepEnd } from '../remote/steps/follow-frames.ts'
import { type FollowOptions, followStep } from '../remote/steps/follow-step.ts'
import type { Mask } from '../secrets/mask.ts'
import { findOutputLength } from '../store/tasks/outputs.ts'
import { listStepRecords, type StepRecord } from '../store/tasks/steps.ts'
import type { Lease } from '../store/tasks/task-queue.ts'
import { explain } from './explain.ts'
import { OutputBatch } from './output-batch.ts'
import { limitsAfter, StepOutput } from './step-output.ts'
import { tellAtOnce } from './tell-at-once.ts'

/** A step failed or was canceled: the program ends here, and the task with it. */
export class StepEnded extends Error {
  override readonly name = 'StepEnded'
  readonly status: 'failed' | 'canceled'
  readonly reason: TaskReason | undefined

  constructor(status: 'failed' | 'canceled', reason: TaskReason | undefined) {
    super(`A step was ${status}`)
    this.status = status
    this.reason = reason
  }
}

/** What an earlier run of the task left is not what this program does: none of it is taken, and nothing is begun. */
export class CannotGoOn extends Error {
  override readonly name = 'CannotGoOn'
  /** In words; undefined where the program itself is another one. */
  readonly because: string | undefined

  constructor(because?: string) {
    super('An earlier run of the task did other steps')
    this.because = because
  }
}

/** Why a run is stopped from outside. `stopping`: the platform goes down, and the next process goes on. */
export type StopReason = 'canceled_by_user' | 'timed_out' | 'stopping' | 'lost'

type Given = {
  readonly kind: TaskKind
  readonly host: Host
  readonly signal: AbortSignal
  readonly mask: Mask
  /** How long a server may take to end a command, and to tell what it printed. */
  readonly cancelMs?: number
}

/** More than it may be out of reach. A task that nobody could end would have its place for ever. */
const CANCEL_MS = 20 * 60_000

/** Where what a step tells goes: with its output and its end, or at once. */
type Told = { readonly batch: OutputBatch; readonly onSilence: (sentence: string) => Promise<void> }

export class TaskRun implements Run {
  readonly #ctx: Context
  readonly #lease: Lease
  readonly #kind: TaskKind
  readonly #host: Host
  /** Everything that is told of the task goes through it. */
  readonly #mask: Mask
  readonly #stopped: AbortSignal
  readonly #cancelMs: number
  /** Aborted only where another process has the task, or will have it. */
  readonly #left = new AbortController()
  #position = 0
  #earlier: Promise<ReadonlyMap<number, StepRecord>> | undefined
  /** The routes change, or have changed: from here on nobody cancels it, so that what it says is what serves. */
  #isCommitted = false

  constructor(ctx: Context, lease: Lease, { kind, host, signal, mask, cancelMs = CANCEL_MS }: Given) {
    this.#ctx = ctx
    this.#lease = lease
    this.#kind = kind
    this.#host = host
    this.#mask = mask
    this.#stopped = signal
    this.#cancelMs = cancelMs
    const leave = (): void => {
      if (isLeft(signal)) this.#left.abort(signal.reason)
    }
    leave()
    signal.addEventListener('abort', leave, { once: true })
  }

  get isCommitted(): boolean {
    return this.#isCommitted
  }

  get #signal(): AbortSignal {
    return this.#isCommitted ? this.#left.signal : this.#stopped
  }

  phase<Result>(phase: PhaseName, work: (step: DoStep) => Promise<Result>): Promise<Result> {
    return work((title, stepWork) => this.#step({ phase, ...wordsOf(title) }, stepWork))
  }

  /** After a take-over it may have no place among the steps that were done: then it is the end of them. */
  async refuse(title: StepTitle, sentence: string): Promise<never> {
    const earlier = (await this.#earlierSteps()).get(this.#position + 1)
    if (earlier && !this.#isOf({ phase: 'Prepare', ...wordsOf(title) }, earlier)) throw new CannotGoOn(sentence)
    return this.phase('Prepare', (step) => step(title, () => Promise.reject(CheckFailed(sentence))))
  }

  async complete(): Promise<void> {
    if ((await this.#earlierSteps()).has(this.#position + 1)) throw new CannotGoOn()
  }

  async #step<Result>(planned: Planned, work: (io: StepIo) => Promise<Result>): Promise<Result> {
    const position = ++this.#position
    const { phase, key, name } = planned
    const earlier = (await this.#earlierSteps()).get(position)
    if (earlier && !this.#isOf(planned, earlier)) throw new CannotGoOn()
    if (earlier) await resumeStep(this.#ctx, this.#lease)
    else await beginStep(this.#ctx, this.#lease, { position, phase, key, name: this.#mask.text(name) })
    // A switch that an earlier run has begun goes on, whatever was asked for since.
    if (phase === 'Switch' && (earlier || !this.#signal.aborted)) this.#isCommitted = true
    if (earlier && earlier.status !== 'running') return again(earlier)
    const batch = new OutputBatch(this.#ctx, this.#lease, position)
    const attempt = async (): Promise<Result> => {
      // One that an earlier run has begun may be at work on the server: what is canceled there is for the step itself to end.
      if (!earlier) this.#signal.throwIfAborted()
      // A step that a dead process left is done again; so is one that a broken connection left.
      const onSilence = this.#tellAtOnce(position, batch)
      return untilReached(this.#host.name, { signal: this.#signal, onSilence }, () => {
        batch.takeSaid()
        return work(this.#io(earlier?.readBytes ?? 0, { batch, onSilence }))
      })
    }
    try {
      const result = await attempt().catch((error: unknown) => this.#fail(position, batch, error))
      // That this cannot be written down is no failure of the step.
      await batch.flush()
      await endStep(this.#ctx, this.#lease, position, { status: 'succeeded', result, said: batch.takeEnd() })
      return result
    } finally {
      batch.drop()
    }
  }

  /** Rows that are older than keys go by what they are called. */
  #isOf({ phase, key, name }: Planned, earlier: StepRecord): boolean {
    if (earlier.phase !== phase) return false
    return earlier.key === null ? earlier.name === this.#mask.text(name) : earlier.key === key
  }

  /** What an earlier run of the program left. It ended with its lease, so nobody adds to it. */
  #earlierSteps(): Promise<ReadonlyMap<number, StepRecord>> {
    this.#earlier ??= listStepRecords(this.#ctx.db, this.#lease.taskId)
    return this.#earlier
  }

  /** For what people should not wait for until the step has ended. */
  #tellAtOnce(position: number, batch: OutputBatch): (sentence: string) => Promise<void> {
    return async (sentence) => {
      await batch.flush()
      await tellAtOnce(this.#ctx, this.#lease, { position, line: this.#told(sentence) })
    }
  }

  #io(readBefore: number, told: Told): StepIo {
    const { batch } = told
    return {
      host: this.#host,
      signal: this.#signal,
      say: (line) => batch.say(this.#told(line, MOST_SAID_CHARACTERS)),
      durably: (work) => this.#durably(work, batch.read ?? readBefore, told),
    }
  }

  /** Starts it, or finds it started, and reads on where the records say that reading ended. */
  async #durably(work: DurableWork, readBytes: number, { batch, onSilence }: Told): Promise<void> {
    const { folder, timeoutMs = this.#ctx.config.stepMinutes * 60_000 } = work
    // What was said before was written with the first of what was read.
    if (readBytes > 0) batch.takeSaid()
    const limits = limitsAfter(await findOutputLength(this.#ctx.db, this.#lease.taskId))
    const output = new StepOutput(batch, { readBytes, limits, mask: this.#mask.stream() })
    let fromOffset = readBytes
    const onOutput = async (bytes: Buffer, offset: number): Promise<void> => {
      await output.take(bytes, offset)
      fromOffset = offset + bytes.length
    }
    const toItsEnd = async (): Promise<StepEnd> => {
      this.#signal.throwIfAborted()
      await startStep(this.#host, { ...work, timeoutMs }, { signal: this.#signal, onSilence })
      return followStep(this.#host, folder, { fromOffset, onOutput, signal: this.#signal, onSilence })
    }
    const end = await toItsEnd().catch(async (error: unknown) => {
      if (isCancel(this.#signal)) await this.#cancel(folder, { fromOffset, onOutput }, { batch, onSilence })
      // Whoever goes on with the step reads again what is held here.
      if (!isLeft(this.#signal)) output.end()
      throw error
    })
    output.end()
    if (end.state === 'vanished') throw StepVanished()
    if (end.state === 'timed_out') throw StepTimedOut(timeoutMs)
    if (end.exitCode !== 0) throw CommandFailed(end.exitCode)
  }

  /** Canceled means that nothing of it runs any more, also where the connection is gone at that moment. */
  async #cancel(folder: string, reading: FollowOptions, { batch, onSilence }: Told): Promise<void> {
    const signal = AbortSignal.timeout(this.#cancelMs)
    const patience = {
      signal,
      onSilence: (sentence: string) => onSilence(`The command cannot be ended yet. ${sentence}`),
    }
    try {
      await cancelStep(this.#host, folder, patience)
      // What it has printed until then is part of the log.
      await followStep(this.#host, folder, { ...reading, ...patience })
    } catch (error) {
      if (signal.aborted) {
        const time = durationInWords(this.#cancelMs)
        batch.say(
          `The server ${this.#host.name} did not say within ${time} that the command has ended. See whether it still runs there`,
        )
        return
      }
      if (!(error instanceof ServerUnreachable) || error instanceof PlatformStopping) throw error
      batch.say(this.#told(`${error.message}. What still runs there is ended when the server answers again`))
    }
  }

  /** Sentences may quote a server, which chooses how long that is. Made safe first: what is taken out could part a secret in two. */
  #told(text: string, most = MOST_TOLD_CHARACTERS): string {
    return this.#mask.text(safeText(text.slice(0, most)))
  }

  async #fail(position: number, batch: OutputBatch, error: unknown): Promise<never> {
    const stopped: StopReason | undefined = this.#signal.aborted ? this.#signal.reason : undefined
    if (error instanceof LostLease || error instanceof PlatformStopping) throw error
    if (stopped === 'lost' || stopped === 'stopping') throw error
    await batch.flush()
    const said = batch.takeEnd()
    if (stopped === 'canceled_by_user') {
      await endStep(this.#ctx, this.#lease, position, { status: 'canceled', message: 'Canceled', said })
      throw new StepEnded('canceled', 'canceled_by_user')
    }
    const telling = { log: this.#ctx.log, mask: this.#mask }
    const taskTimedOut = () => TaskTimedOut(this.#kind, this.#ctx.config.taskMinutes * 60_000)
    const { step, reason } = explain(stopped === 'timed_out' ? taskTimedOut() : error, telling)
    const message = step.message && this.#told(step.message)
    await endStep(this.#ctx, this.#lease, position, { ...step, ...(message && { message }), result: { reason }, said })
    throw new StepEnded('failed', reason)
  }
}

/** Fifty sentences of some length. */
const MOST_TOLD_CHARACTERS = 64 * 1024
/** Of one line of the output: a list of what a deployment does may be long. */
const MOST_SAID_CHARACTERS = 256 * 1024

type Planned = { readonly phase: PhaseName; readonly key: string; readonly name: string }

const wordsOf = (title: StepTitle): Pick<Planned, 'key' | 'name'> =>
  typeof title === 'string' ? { key: title, name: title } : title

/** The run before stored it as JSON. The key says that it was the same step. */
function again<Result>(earlier: StepRecord): Result {
  const result = JSON.parse(earlier.result ?? 'null')
  if (earlier.status === 'succeeded') return result
  if (earlier.status === 'canceled') throw new StepEnded('canceled', 'canceled_by_user')
  throw new StepEnded('failed', result?.reason)
}

const isCancel = (signal: AbortSignal): boolean =>
  signal.aborted && (signal.reason === 'canceled_by_user' || signal.reason === 'timed_out')

/** Another process has the task now, or will have it. */
const isLeft = (signal: AbortSignal): boolean => signal.aborted && !isCancel(signal)
