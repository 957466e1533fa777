// Starts work before its step, beside earlier steps. The step uses the result, or does the work itself where it failed or never started: so
// the step reports the failure, and a run that takes over needs to know nothing of it.
import type { StepIo } from './run.ts'

type Io = Pick<StepIo, 'host' | 'signal'>

export type Prefetch<Result> = {
  /** Starts once. */
  start(io: Io): void
  result(io: Io): Promise<Result>
  /** Resolves when started work has ended, in whatever way. */
  finished(): Promise<void>
}

export function prefetch<Result>(work: (io: Io) => Promise<Result>): Prefetch<Result> {
  let begun: Promise<{ readonly result: Result } | undefined> | undefined
  return {
    start: (io) => {
      begun ??= work(io).then(
        (result) => ({ result }),
        () => undefined,
      )
    },
    result: async (io) => {
      const early = await begun
      // A step that is retried after a broken connection does the work again.
      begun = undefined
      return early ? early.result : work(io)
    },
    finished: async () => {
      await begun
    },
  }
}

/** A step that starts other work when it begins. */
export const withPrefetch =
  <Result>(works: readonly Pick<Prefetch<unknown>, 'start'>[], step: (io: StepIo) => Promise<Result>) =>
  (io: StepIo): Promise<Result> => {
    for (const work of works) work.start(io)
    return step(io)
  }
