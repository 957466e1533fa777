// What a step runs, as a file that its launcher reads: words and values in quotes, so that none of them means anything to a shell.
import { type Command, shellLine } from '../../commands/command.ts'
import { Secret } from '../../secrets/secret.ts'

export type StepEnvironment = ReadonlyMap<string, Secret | string>

/** The launcher has put the change of user, and the call of the script if there is one, into `"$@"`. */
export function launchFile(step: { words: readonly string[]; cwd?: string; environment?: StepEnvironment }): string {
  const variables = [...(step.environment ?? [])].map(([name, value]) => ({
    name,
    assignment: assignment(name, value),
  }))
  const exported = variables.filter(({ name }) => !keptByShells.test(name))
  const handedOver = variables.filter(({ name }) => keptByShells.test(name))
  const lines = [
    // The shell has it open by now, and nobody reads it again: what it holds need not lie on the disk.
    'rm -f ./launch',
    ...(step.cwd === undefined ? [] : [`${shellLine(['cd', '--', step.cwd])} || exit 126`]),
    ...exported.map((variable) => shellLine(['export', variable.assignment])),
    ['exec', ...environmentProgram(handedOver), '"$@"', ...step.words.map((word) => shellLine([word]))].join(' '),
  ]
  return `${lines.join('\n')}\n`
}

/**
 * Names that a shell fills itself, refuses, or reads as arithmetic, in which bash runs commands; and those that change how it reads
 * this file. They go as words of `env`, which other users of the server can see for the moment until it becomes the command.
 */
const keptByShells =
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
