// A log line as the server sends it: `TIME SERVICE TEXT`, with the time in UTC and nanoseconds.
import type { OutputLine } from '@shipway/api'

export type LogLine = Readonly<OutputLine>

/** Undefined for anything else, such as a greeting of the server's shell. */
export function readLogLine(line: string): LogLine | undefined {
  const [, time, service, text] = LINE.exec(line) ?? []
  return time === undefined || service === undefined || text === undefined ? undefined : { time, service, text }
}

const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z) ([A-Za-z0-9._-]+) (.*)$/s
