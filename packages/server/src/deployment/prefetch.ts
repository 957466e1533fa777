// Work that is begun before its step, because nothing that it needs is missing: it goes on beside other steps. The step takes what came of
// it, or does it itself; so what went wrong is told by the step, and a run that takes over needs to know nothing of it.
import type { StepIo } from './run.ts'

type Io = Pick<StepIo, 'host' | 'signal'>

export type Prefetch<Result> = {
  /** Once; what fails is done again by the step. */
  start(io: Io): void
  result(io: Io): Promise<Result>
  /** Resolves when what was begun has ended, however. */
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
      // A step that is tried again after a broken connection looks anew.
      begun = undefined
      return early ? early.result : work(io)
    },
    finished: async () => {
      await begun
    },
  }
}
