// Untrusted text inside Markdown: it shows as it is, without markup, links or mentions.
import { safeText } from '@shipway/rules/safe-text'

const MOST_CHARACTERS = 300

/** On one line, without anything invisible. */
export const plainLine = (text: string): string =>
  safeText(text).replaceAll(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS)

/** As inline code. */
export const codeOf = (text: string): string => `\`${plainLine(text).replaceAll('`', "'")}\``

/** As inline code in the cell of a table, which a bar would end. */
export const cellOf = (text: string): string => codeOf(text).replaceAll('\\', '/').replaceAll('|', '\\|')

/** Longer runs of backticks are cut, so that the fence stays short. */
const MOST_BACKTICKS = 20

/** As a code block. Its fence is longer than any run of backticks in the text, so no line of the text can end it. */
export function blockOf(text: string): string {
  const shown = safeText(text).replaceAll(/`+/g, (run) => run.slice(0, MOST_BACKTICKS))
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}text\n${shown}\n${fence}`
}
