// A command is a list of words until a host runs it. Only this module turns it into text for a shell.
export type Command = readonly [program: string, ...words: string[]]

/**
 * The command as one line for a POSIX shell: each word in single quotes, so that the shell interprets no character of it. `variables` maps
 * words to shell variables that already hold them.
 */
export function shellLine(command: Command, variables: ReadonlyMap<string, string> = new Map()): string {
  return command
    .map((word) => {
      const variable = variables.get(word)
      return variable === undefined ? quoted(word) : `"$${variable}"`
    })
    .join(' ')
}

/** Assigns a value to a shell variable. */
export const assignmentLine = (variable: string, value: string): string => `${variable}=${quoted(value)}`

/** The same for people to read and paste: quotes only the words that need it. */
export function readableLine(command: Command): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(' ')
}

function quoted(word: string): string {
  if (word.includes('\0')) throw new TypeError('A word of a command cannot hold the NUL character')
  return `'${word.replaceAll("'", `'\\''`)}'`
}
