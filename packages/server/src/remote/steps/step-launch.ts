// The command of a step as a file for its launcher: all words and values are quoted, so that a shell interprets none of them.
import { type Command, shellLine } from '../../commands/command.ts'
import { Secret } from '../../secrets/secret.ts'
import { endedText } from '../accounts/account.ts'

export type StepEnvironment = ReadonlyMap<string, Secret | string>

type LaunchOptions = { readonly cwd?: string; readonly environment?: StepEnvironment }

/** The launcher has put the call of the script, if there is one, into `"$@"`. */
export function launchFile(step: LaunchOptions & { readonly words: readonly string[] }): string {
  const words = ['"$@"', ...step.words.map((word) => shellLine([word]))]
  // The shell has the file open and no process reads it again, so its values need not stay on the disk.
  return `${['rm -f ./launch', ...launchLines(step, words)].join('\n')}\n`
}

/** The same for a user of the environment, who gets the script through the same pipe and reads it from an already deleted file. */
export function accountText(step: LaunchOptions & { readonly run: Command | { readonly script: string } }): string {
  const { run } = step
  if (!('script' in run)) return endedText(['exec </dev/null', ...launchLines(step, [shellLine(run)])])
  const lines = [
    'exec </dev/null',
    'step_script=$(mktemp "$HOME/.step.XXXXXX") || exit 126',
    `${shellLine(['printf', '%s', run.script])} >"$step_script" || exit 126`,
    'exec 9<"$step_script"',
    'rm -f -- "$step_script"',
    'unset step_script',
  ]
  return endedText([...lines, ...launchLines(step, [shellLine(['/bin/sh', '-e', '/dev/fd/9'])])])
}

/** Changes to the folder, exports the variables and becomes the command. */
function launchLines(step: LaunchOptions, words: readonly string[]): string[] {
  const variables = [...(step.environment ?? [])].map(([name, value]) => ({
    name,
    assignment: assignment(name, value),
  }))
  const exported = variables.filter(({ name }) => !reservedByShells.test(name))
  const handedOver = variables.filter(({ name }) => reservedByShells.test(name))
  return [
    ...(step.cwd === undefined ? [] : [`${shellLine(['cd', '--', step.cwd])} || exit 126`]),
    ...exported.map((variable) => shellLine(['export', variable.assignment])),
    ['exec', ...environmentProgram(handedOver), ...words].join(' '),
  ]
}

/**
 * Names that a shell sets itself, refuses, or evaluates as arithmetic, in which bash runs commands; and names that change how it reads this
 * file. They are passed as arguments of `env`, which other users of the server can see until `env` becomes the command.
 */
const reservedByShells =
  /^(_|BASH.*|DIRSTACK|EPOCHREALTIME|EPOCHSECONDS|EUID|FUNCNAME|GROUPS|HISTCMD|LANG|LC_.*|LINENO|OPTIND|PPID|RANDOM|SECONDS|SHELLOPTS|SHLVL|SRANDOM|UID)$/

function environmentProgram(variables: readonly { assignment: string }[]): string[] {
  if (variables.length === 0) return []
  const command: Command = ['/usr/bin/env', ...variables.map((variable) => variable.assignment)]
  return [shellLine(command)]
}

function assignment(name: string, value: Secret | string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new TypeError(`${JSON.stringify(name)} is not a name for a variable`)
  return `${name}=${value instanceof Secret ? value.reveal() : value}`
}
