// Parses `--timeout`.
import { UsageError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readDuration } from '../terminal/times.ts'

/** In milliseconds; undefined without a limit. */
export function readTimeout(text: string | undefined, isWaiting: boolean): number | undefined {
  if (text === undefined) return undefined
  if (!isWaiting) throw UsageError('--timeout needs --wait')
  const ms = readDuration(text)
  if (ms === undefined)
    throw UsageError(`--timeout ${plainText(text)} is not a duration`, 'Give one such as 90s, 15m or 1h30m')
  return ms
}
