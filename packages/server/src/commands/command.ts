// A command is words until a host runs it. Text for a shell is made here and nowhere else.
export type Command = readonly [program: string, ...words: string[]]

/**
 * The command as one line for a POSIX shell: each word in single quotes, so that no character of it means anything. `variables` are those of
 * the shell that hold a word already, by word.
 */
export function shellLine(command: Command, variables: ReadonlyMap<string, string> = new Map()): string {
  return command
    .map((word) => {
      const variable = variables.get(word)
      return variable === undefined ? quoted(word) : `"$${variable}"`
    })
    .join(' ')
}

/** Gives a variable of a shell its value. */
export const assignmentLine = (variable: string, value: string): string => `${variable}=${quoted(value)}`

/** The same for people to read and to paste: only words that need quotes have them. */
export function readableLine(command: Command): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word))).join(' ')
}

function quoted(word: string): string {
  if (word.includes('\0')) throw new TypeError('A word of a command cannot hold the NUL character')
  return `'${word.replaceAll("'", `'\\''`)}'`
}
