/**
 * Makes untrusted text safe to print: names, and output of deployments. Terminals obey control sequences: such text could
 * clear the screen, fill the clipboard, hide a line, or draw a forged one. Every ESC and every control character is
 * removed, so that no remainder of a sequence can combine with the text after it.
 */

/** One line: nothing but visible characters. */
export function plainText(text: string): string {
  return plainLines(text).replaceAll(/[\t\n]+/g, ' ')
}

/** Lines stay, and so do tabs. */
export function plainLines(text: string): string {
  return oneLineEnd(text).replaceAll(SEQUENCE, '').replaceAll(INVISIBLE, '')
}

/** Keeps colors, and resets them at the end of each line. */
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
    // A placeholder for ESC until all invisible characters are removed.
    return color === '' ? '' : `${MARK}${color}`
  })
  const text = safe.replaceAll(INVISIBLE_BUT_MARK, '').replaceAll(MARK, '\u001b')
  return isColored ? `${text}\u001b[0m` : text
}

/** A Unicode noncharacter. It is removed from the text before any mark is made. */
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

/** Control characters, bidirectional overrides, zero-width characters, tags, and private characters. */
const INVISIBLE_SET =
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}'
const INVISIBLE = new RegExp(`[${INVISIBLE_SET}\\ufdd0]`, 'gu')
const INVISIBLE_BUT_MARK = new RegExp(`[${INVISIBLE_SET}]`, 'gu')

/** For JSON, where every character can be escaped. */
export const escapeInvisible = (json: string): string =>
  json.replaceAll(INVISIBLE, (sign) =>
    [...Array(sign.length).keys()]
      .map((index) => `\\u${sign.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** The color sequence without its ESC, or nothing if it is not a color. */
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

/** The parameters without palette colors (`38;5;n`) and RGB colors (`38;2;r;g;b`). */
function withoutPalette(parameters: string): string[] {
  return parameters
    .replaceAll(/(?<![0-9])[34]8;(?:5;[0-9]{1,3}|2;[0-9]{1,3};[0-9]{1,3};[0-9]{1,3})(?![0-9])/g, '')
    .split(';')
}
