// One-off commands as words, and as a line for people. Never run the line: what it shows may be masked.

/** The shell is that of the container; no shell of a server reads the text. */
const SHELL = 'sh'
const READ_TEXT = '-c'

export const inShell = (text: string): string[] => [SHELL, READ_TEXT, text]

/** A text for the shell is shown as it was typed; other words are quoted where a shell would need it. */
export function commandLine(words: readonly string[]): string {
  const [program, option, text] = words
  const isText = words.length === 3 && program === SHELL && option === READ_TEXT && text !== undefined
  return withCodes(isText ? text : words.map(quoted).join(' '))
}

/** Control characters and marks that turn the direction of text as codes: the line would look like another command. */
const withCodes = (line: string): string =>
  line.replaceAll(
    /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const quoted = (word: string): string =>
  /^[A-Za-z0-9_@%+=:,./[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
