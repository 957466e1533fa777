// Parses files of variables, by the same rules as a pasted `.env` in the dashboard. An invalid line is an error: skipping it would leave
// a variable unset.
import { parseEnv } from '@shipway/api/values/env-file'
import { UsageError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'

export function readEnvFile(text: string, file: string): (readonly [key: string, value: string])[] {
  const { entries, faults } = parseEnv(text)
  const [fault] = faults
  if (fault) {
    throw UsageError(
      `${plainText(file)}, line ${fault.line}: not a KEY=VALUE line`,
      'Put a value of several lines in quotes',
    )
  }
  const twice = entries.find(({ earlier }) => earlier.length > 0)
  if (twice) throw UsageError(`${plainText(twice.key)} is given twice`)
  return entries.map(({ key, value }) => [key, value])
}
