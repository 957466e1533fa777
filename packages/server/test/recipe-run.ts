// A run of a recipe without a runner: writes down what each step asks for, says and hands on, and can go on where another run ended.

import type { DoStep, DurableWork, PhaseName, Run, StepIo } from '../src/deployment/run.ts'
import type { StepTitle } from '../src/deployment/step-keys.ts'
import { CommandFailed } from '../src/domain/tasks/step-fault.ts'
import type { Host } from '../src/remote/host.ts'

export type RanStep = {
  readonly phase: PhaseName
  readonly key: string
  readonly name: string
  /** What it asked of the server, the repository and the records, in order. */
  readonly lines: readonly string[]
  readonly said: readonly string[]
  readonly warnings: readonly string[]
  /** As the next run of the program reads it. */
  readonly result: unknown
}

export type Ran = { readonly steps: readonly RanStep[]; readonly error: unknown }

type RunFixture = {
  readonly host: Host
  readonly lines: string[]
  /** Of the server: what durable work prints lies there. */
  readonly files: Map<string, string>
  /** Steps of an earlier run that had ended. */
  readonly kept?: readonly Pick<RanStep, 'key' | 'result'>[]
  readonly signal?: AbortSignal
}

/** Runs a program to its end, or to the step that fails. */
export async function runProgram(program: (run: Run) => Promise<void>, fixture: RunFixture): Promise<Ran> {
  const steps: RanStep[] = []
  const waiting = [...(fixture.kept ?? [])]
  const stepIn =
    (phase: PhaseName): DoStep =>
    async (title, work) => {
      const { key, name } = wordsOf(title)
      const earlier = waiting.shift()
      if (earlier && earlier.key !== key) throw new Error(`${earlier.key} was done in place of ${key}`)
      if (earlier) return JSON.parse(JSON.stringify(earlier.result ?? null))
      const from = fixture.lines.length
      const said: string[] = []
      const warnings: string[] = []
      let result: unknown
      try {
        const handedOn = await work(ioOf(fixture, { said, warnings }))
        result = JSON.parse(JSON.stringify(handedOn ?? null))
        return handedOn
      } finally {
        steps.push({ phase, key, name, lines: fixture.lines.slice(from), said, warnings, result })
      }
    }
  const run: Run = {
    phase: stepIn,
    refuse: (_title, sentence) => Promise.reject(new Error(sentence)),
    complete: async () => undefined,
  }
  try {
    await program(run)
    return { steps, error: undefined }
  } catch (error) {
    return { steps, error }
  }
}

const wordsOf = (title: StepTitle) => (typeof title === 'string' ? { key: title, name: title } : title)

type Sentences = { readonly said: string[]; readonly warnings: string[] }

const ioOf = (fixture: RunFixture, { said, warnings }: Sentences): StepIo => ({
  host: fixture.host,
  signal: fixture.signal ?? new AbortController().signal,
  say: (line) => said.push(line),
  warn: (sentence) => warnings.push(sentence),
  durably: (work) => workDurably(fixture, work),
})

/** Runs as a short command would; its folder, what it is given and its limit of time stand in a line before. */
async function workDurably({ host, lines, files }: RunFixture, work: DurableWork): Promise<void> {
  const { run, folder, environment, timeoutMs } = work
  const given = [...environment].map(
    ([key, value]) => ` with ${key}=${typeof value === 'string' ? value : value.reveal()}`,
  )
  lines.push(`durably in ${folder}${given.join('')}${timeoutMs === undefined ? '' : ` within ${timeoutMs / 1000} s`}`)
  const { exitCode, stdout } = await host.run('script' in run ? ['sh', '-e', run.script] : run)
  files.set(`${folder}/output`, stdout.toString())
  if (exitCode !== 0) throw CommandFailed(exitCode)
}
