// One-off commands as words, and as a line for people. Never run the line: what it shows may be masked.

/** The shell is that of the container; no shell of a server reads the text. */
const SHELL = 'sh'
const READ_TEXT = '-c'

export const inShell = (text: string): string[] => [SHELL, READ_TEXT, text]

/** A text for the shell is shown as it was typed; other words are quoted where a shell would need it. */
export function commandLine(words: readonly string[]): string {
  const [program, option, text] = words
  if (words.length === 3 && program === SHELL && option === READ_TEXT && text !== undefined) return text
  return words.map(quoted).join(' ')
}

const quoted = (word: string): string =>
  /^[A-Za-z0-9_@%+=:,./[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
