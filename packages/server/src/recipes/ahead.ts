// Work that is begun before its step, because nothing that it needs is missing: it goes on beside other steps. The step takes what came of
// it, or does it itself; so what went wrong is told by the step, and a run that takes over needs to know nothing of it.
import type { StepIo } from './run.ts'

type Io = Pick<StepIo, 'host' | 'signal'>

export type Ahead<Result> = {
  /** Once; what fails is done again by the step. */
  begin(io: Io): void
  take(io: Io): Promise<Result>
  /** Resolves when what was begun has ended, however. */
  settled(): Promise<void>
}

export function ahead<Result>(work: (io: Io) => Promise<Result>): Ahead<Result> {
  let begun: Promise<{ readonly result: Result } | undefined> | undefined
  return {
    begin: (io) => {
      begun ??= work(io).then(
        (result) => ({ result }),
        () => undefined,
      )
    },
    take: async (io) => {
      const early = await begun
      // A step that is tried again after a broken connection looks anew.
      begun = undefined
      return early ? early.result : work(io)
    },
    settled: async () => {
      await begun
    },
  }
}
