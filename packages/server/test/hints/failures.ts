// Steps that failed, each with the output that the real programs print; what is long in it is cut.
import type { Failure } from '../../src/domain/tasks/hints/failure.ts'
import { hintsFor } from '../../src/domain/tasks/hints/failure-hints.ts'

export const failed = (more: Partial<Failure>): Failure => ({
  phase: 'Start',
  name: 'Wait for web',
  kind: 'check',
  exitCode: null,
  message: null,
  lines: [],
  ...more,
})
export const built = (...lines: string[]): Failure =>
  failed({
    phase: 'Build',
    name: 'Build images',
    kind: 'command',
    exitCode: 1,
    message: `The image of web could not be built: ${lines.at(-1)}`,
    lines: lines.map((line) => `web | ${line}`),
  })
export const printed = (...lines: string[]): Failure =>
  failed({ exitCode: 1, message: 'web ended with exit code 1 before it was ready', lines })
export const composed = (line: string): Failure =>
  failed({
    name: 'Start web',
    kind: 'command',
    exitCode: 1,
    message: `Docker Compose could not start it: ${line}`,
    lines: [' Container shop-web-1  Starting', line],
  })
export const prepared = (message: string): Failure => failed({ phase: 'Prepare', name: 'Fetch source', message })

export const says = (failure: Failure): string => hintsFor(failure).join('\n')
