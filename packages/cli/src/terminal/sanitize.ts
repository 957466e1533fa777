/**
 * Makes text from elsewhere safe to print: names, and what deployments print. A terminal obeys what it is sent: such text
 * could clear the screen, fill the clipboard, hide a line, or draw a forged one. Every ESC and every control character is
 * taken out here, so that no rest of a sequence can be read together with what stands after it.
 */

/** One line: nothing but visible characters. */
export function plainText(text: string): string {
  return plainLines(text).replaceAll(/[\t\n]+/g, ' ')
}

/** Lines stay, and so do tabs. */
export function plainLines(text: string): string {
  return oneLineEnd(text).replaceAll(SEQUENCE, '').replaceAll(INVISIBLE, '')
}

/** The same with colors kept, which are reset where a line ends so that they reach no further. */
export function coloredLines(text: string): string {
  return oneLineEnd(text)
    .split('\n')
    .map((line) => coloredLine(line))
    .join('\n')
}

function coloredLine(line: string): string {
  let isColored = false
  const safe = line.replaceAll(SEQUENCE, (sequence) => {
    const color = safeColor(sequence)
    isColored ||= color !== ''
    // Stands for ESC until everything else that is invisible has gone.
    return color === '' ? '' : `${MARK}${color}`
  })
  const text = safe.replaceAll(INVISIBLE_BUT_MARK, '').replaceAll(MARK, '\u001b')
  return isColored ? `${text}\u001b[0m` : text
}

/** A noncharacter of Unicode: text that has one loses it below, before any mark is made. */
const MARK = '\ufdd0'

/** A carriage return would let the rest of a line write over its beginning. */
const oneLineEnd = (text: string): string => text.replaceAll(MARK, '').replaceAll(/\r\n?/g, '\n')

/**
 * Strings (OSC, DCS, SOS, PM, APC) up to their end or that of the line, then CSI, then every other escape. C1 characters
 * begin the same sequences in one character.
 */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u009c|\u001b\\)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g

/** Control characters; what turns the direction of writing around; what takes no room; tags, and private characters. */
const INVISIBLE_SET =
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}'
const INVISIBLE = new RegExp(`[${INVISIBLE_SET}\\ufdd0]`, 'gu')
const INVISIBLE_BUT_MARK = new RegExp(`[${INVISIBLE_SET}]`, 'gu')

/** In JSON, whose strings know an escape for every character. */
export const escapeInvisible = (json: string): string =>
  json.replaceAll(INVISIBLE, (sign) =>
    [...Array(sign.length).keys()]
      .map((index) => `\\u${sign.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** The rest of a color sequence after its ESC, or nothing where it is no color. */
function safeColor(sequence: string): string {
  const parameters = COLOR.exec(sequence)?.[1]
  if (parameters === undefined) return ''
  const isSafe = withoutPalette(parameters).every((number) => PLAIN_COLORS.test(number))
  return isSafe ? `[${parameters}m` : ''
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const COLOR = /^(?:\u001b\[|\u009b)([0-9;]{0,40})m$/

/** Bold, dim, italic, underlined, struck, the colors, and the end of each; not blinking, hidden or inverted. */
const PLAIN_COLORS = /^(?:|0|[1-49]|2[1-9]|[34][0-79]|9[0-7]|10[0-7])$/

/** What is left beside colors of the palette (`38;5;n`) and colors by their parts (`38;2;r;g;b`). */
function withoutPalette(parameters: string): string[] {
  return parameters
    .replaceAll(/(?<![0-9])[34]8;(?:5;[0-9]{1,3}|2;[0-9]{1,3};[0-9]{1,3};[0-9]{1,3})(?![0-9])/g, '')
    .split(';')
}
