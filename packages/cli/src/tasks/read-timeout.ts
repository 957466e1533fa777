// How long to wait for a task, as it is given on the command line.
import { UsageError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readDuration } from '../terminal/times.ts'

/** In milliseconds; undefined where there is no limit. */
export function readTimeout(text: string | undefined, isWaiting: boolean): number | undefined {
  if (text === undefined) return undefined
  if (!isWaiting) throw UsageError('--timeout says how long to wait: give --wait too')
  const ms = readDuration(text)
  if (ms === undefined)
    throw UsageError(`--timeout ${plainText(text)} is no duration`, 'Give one such as 90s, 15m or 1h30m')
  return ms
}
