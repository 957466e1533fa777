/**
 * Renders variables as a file that Docker Compose (`env_file` and `--env-file`), dash and bash all read the same way, byte for byte.
 *
 * All three take a text in single quotes literally, also over many lines, unless it contains a single quote or ends with a backslash that
 * Compose takes as an escape of the closing quote. Every other value is in double quotes with `\`, `"` and `$` escaped. A backtick
 * does not work there: a shell needs it escaped, and Compose would keep the backslash. So it comes from a helper variable, which is
 * written first and only if a value needs it. Users cannot set a variable of that name.
 */
import { Secret } from './secret.ts'

/** Keeps the order of the map. If a key occurred twice, all readers would take the last one. */
export function renderVariableFile(variables: ReadonlyMap<string, Secret | string>): Secret {
  const assignments = [...variables].map(([key, value]) =>
    assignment(key, value instanceof Secret ? value.reveal() : value),
  )
  const backtick = assignments.some(({ needsBacktick }) => needsBacktick) ? [`${backtickKey}='\`'\n`] : []
  return new Secret([...backtick, ...assignments.map(({ line }) => line)].join(''))
}

/** The variables that a reader of the file gets, including the helper. */
export function variablesInFile(variables: ReadonlyMap<string, Secret | string>): ReadonlyMap<string, string> {
  const values = [...variables].map(([key, value]) => [key, value instanceof Secret ? value.reveal() : value] as const)
  const needsBacktick = values.some(([key, value]) => assignment(key, value).needsBacktick)
  return new Map([...(needsBacktick ? [[backtickKey, '`'] as const] : []), ...values])
}

/** The helper variable, which holds a backtick. */
export const backtickKey = 'SERVICE_BACKTICK'

type Assignment = { readonly line: string; readonly needsBacktick: boolean }

function assignment(key: string, value: string): Assignment {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) throw new TypeError(`${JSON.stringify(key)} is not a key of a variable`)
  if (value.includes('\0') || !value.isWellFormed()) throw new TypeError(`The value of ${key} cannot stand in a file`)
  if (fitsSingleQuotes(value)) return { line: `${key}='${value}'\n`, needsBacktick: false }
  const escaped = value.replaceAll(/[\\"$]/g, '\\$&').replaceAll('`', `\${${backtickKey}}`)
  return { line: `${key}="${escaped}"\n`, needsBacktick: value.includes('`') }
}

function fitsSingleQuotes(value: string): boolean {
  const backslashesAtEnd = /(?<!\\)\\*$/.exec(value)?.[0].length ?? 0
  return !value.includes("'") && backslashesAtEnd % 2 === 0
}
