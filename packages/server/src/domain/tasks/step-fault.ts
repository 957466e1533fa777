// Why a step failed, in words for the person who deployed. Whatever else a step throws is a bug of the platform.
import type { StepKind, TaskKind } from '@shipway/api/tasks'
import { durationInWords } from '../duration.ts'
import { MAX_REPORTED } from '../errors.ts'
import { type EndReason, TASK_KINDS } from './task.ts'

export class StepFault extends Error {
  override readonly name = 'StepFault'
  readonly kind: StepKind
  readonly exitCode: number | null
  /** Shown with the task, if the step alone does not say it all. */
  readonly reason: EndReason | undefined

  constructor(kind: StepKind, sentence: string, more: { exitCode?: number; reason?: EndReason; cause?: unknown } = {}) {
    super(sentence, { cause: more.cause })
    this.kind = kind
    this.exitCode = more.exitCode ?? null
    this.reason = more.reason
  }
}

/** One of the platform's own checks failed. */
export const CheckFailed = (sentence: string, cause?: unknown) => new StepFault('check', sentence, { cause })

/** Several checks failed. Reports as many as a reader can use. */
export const ChecksFailed = (sentences: readonly string[]) => CheckFailed(limitReported(sentences).join('\n'))

function limitReported(sentences: readonly string[]): readonly string[] {
  const others = sentences.length - MAX_REPORTED
  return others > 0 ? [...sentences.slice(0, MAX_REPORTED), `and ${others} more`] : sentences
}

export const CommandFailed = (exitCode: number) =>
  new StepFault('command', `The command ended with exit code ${exitCode}`, { exitCode })

export const StepTimedOut = (limitMs: number) =>
  new StepFault('timeout', `The step did not end within ${durationInWords(limitMs)} and was stopped`, {
    reason: 'timed_out',
  })

/** The step is only where the time of the task ran out. */
export const TaskTimedOut = (kind: TaskKind, limitMs: number) =>
  new StepFault(
    'timeout',
    `The ${TASK_KINDS[kind].noun} did not end within ${durationInWords(limitMs)} and was stopped. All its steps share that time`,
    { reason: 'timed_out' },
  )

export const StepVanished = () =>
  new StepFault(
    'server',
    'The command is gone from the server without an exit code: the server was restarted, or another user ended it',
    {
      reason: 'interrupted',
    },
  )
