// Which lines a reader wants, beside those that the program on the server leaves out already.
import type { LiveOutputOptions, OutputLine } from '@shipway/api/live'
import { microsOf } from './line-time.ts'

export type LineFilter = {
  /** Everything: readers of it share their messages. */
  readonly isAll: boolean
  wants(line: OutputLine): boolean
}

/** `from`: the place that a reader resumes from. */
export function lineFilter({ services = [], grep }: LiveOutputOptions, from: number | undefined): LineFilter {
  const names = new Set(services)
  return {
    isAll: names.size === 0 && grep === undefined,
    wants: (line) =>
      (names.size === 0 || names.has(line.service)) &&
      (grep === undefined || line.text.includes(grep)) &&
      (from === undefined || microsOf(line.time) >= from),
  }
}
