// How long to wait for a task, as it is given on the command line.
import { UsageFault } from '../command-error.ts'
import { plainText } from '../terminal/neutralize.ts'
import { readDuration } from '../terminal/times.ts'

/** In milliseconds; undefined where there is no limit. */
export function readTimeout(text: string | undefined, isWaiting: boolean): number | undefined {
  if (text === undefined) return undefined
  if (!isWaiting) throw UsageFault('--timeout says how long to wait: give --wait too')
  const ms = readDuration(text)
  if (ms === undefined)
    throw UsageFault(`--timeout ${plainText(text)} is no duration`, 'Give one such as 90s, 15m or 1h30m')
  return ms
}
