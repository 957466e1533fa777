/**
 * The variable file: one text that Docker Compose (`env_file` and `--env-file`), dash and bash read alike, byte for byte.
 *
 * All three take a text in single quotes as it stands, over many lines too, if no single quote is in it and Compose does not take
 * the last backslash for one that hides the closing quote. Anything else stands in double quotes with `\`, `"` and `$` escaped.
 * A backtick cannot stand there: a shell wants it escaped, where Compose would keep the backslash. It comes from a variable
 * that is written first, and only where a value needs it; its name is one that nobody can set.
 */
import { Secret } from './secret.ts'

/** In the order given. With two lines of one key all three would take the last, so whoever builds the map puts the system's last. */
export function renderVariableFile(variables: ReadonlyMap<string, Secret | string>): Secret {
  const assignments = [...variables].map(([key, value]) =>
    assignment(key, value instanceof Secret ? value.reveal() : value),
  )
  const backtick = assignments.some(({ needsBacktick }) => needsBacktick) ? [`${backtickKey}='\`'\n`] : []
  return new Secret([...backtick, ...assignments.map(({ line }) => line)].join(''))
}

/** What whoever reads the file has then, by key. */
export function variablesInFile(variables: ReadonlyMap<string, Secret | string>): ReadonlyMap<string, string> {
  const values = [...variables].map(([key, value]) => [key, value instanceof Secret ? value.reveal() : value] as const)
  const needsBacktick = values.some(([key, value]) => assignment(key, value).needsBacktick)
  return new Map([...(needsBacktick ? [[backtickKey, '`'] as const] : []), ...values])
}

/** Of the variable that holds a backtick. */
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
  const backslashesAtEnd = /\\*$/.exec(value)?.[0].length ?? 0
  return !value.includes("'") && backslashesAtEnd % 2 === 0
}
