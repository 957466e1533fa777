// Renders a line as a terminal would: applies carriage returns and backspaces, keeps colors, and makes other control characters visible.
import { codesOf, PLAIN, type Style, styleAfter } from './style.ts'

/** Text with SGR codes only, and the style at its end. */
export type SettledLine = { readonly text: string; readonly style: Style }

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u202a-\u202e\u2066-\u2069]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SGR = /\u001b\[([\d;:]*)m/g

export function settleLine(raw: string, style: Style): SettledLine {
  const line = raw.replace(/(?<!\r)\r+$/, '')
  if (!CONTROL.test(line)) return { text: codesOf(style) + line, style }
  if (!CONTROL.test(line.replace(SGR, ''))) {
    let next = style
    for (const [, params = ''] of line.matchAll(SGR)) next = styleAfter(next, params)
    return { text: codesOf(style) + line, style: next }
  }
  const canvas = new Canvas(style)
  for (const [token] of line.matchAll(TOKENS)) canvas.take(token)
  return { text: canvas.text(), style: canvas.style }
}

/** Text without SGR codes. */
export const plainText = (settled: string): string => (settled.includes('\u001b') ? settled.replace(SGR, '') : settled)

/** CSI sequences, OSC strings, other escape sequences, single control characters, and plain text. */
const TOKENS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-OQ-WYZ\\`-~]|[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u202a-\u202e\u2066-\u2069]|[^\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u202a-\u202e\u2066-\u2069]+/g

/** Maximum column, whatever a sequence asks for. */
const WIDTH = 500

class Canvas {
  style: Style
  readonly #characters: string[] = []
  readonly #styles: Style[] = []
  #column = 0

  constructor(style: Style) {
    this.style = style
  }

  take(token: string): void {
    if (token === '\r') this.#column = 0
    else if (token === '\b') this.#column = Math.max(0, this.#column - 1)
    else if (token.startsWith('\u001b[')) this.#obey(token)
    else if (token.length === 1 && CONTROL.test(token)) this.#write(visible(token))
    else if (!token.startsWith('\u001b')) this.#write(token)
  }

  text(): string {
    let text = ''
    let style = PLAIN
    for (const [at, character] of this.#characters.entries()) {
      const next = this.#styles[at] ?? PLAIN
      if (codesOf(next) !== codesOf(style)) text += `${style === PLAIN ? '' : '\u001b[0m'}${codesOf(next)}`
      style = next
      text += character
    }
    return text
  }

  #write(text: string): void {
    for (const character of text) {
      while (this.#characters.length < this.#column) this.#put(this.#characters.length, ' ', PLAIN)
      this.#put(this.#column, character, this.style)
      this.#column += 1
    }
  }

  #put(at: number, character: string, style: Style): void {
    this.#characters[at] = character
    this.#styles[at] = style
  }

  #obey(sequence: string): void {
    const [command, params] = [sequence.at(-1), sequence.slice(2, -1)]
    const count = Math.max(1, Number.parseInt(params, 10) || 1)
    if (command === 'm') this.style = /^[\d;:]*$/.test(params) ? styleAfter(this.style, params) : this.style
    else if (command === 'K') this.#erase(params)
    else if (command === 'C') this.#column = Math.min(this.#column + count, Math.max(WIDTH, this.#column))
    else if (command === 'D') this.#column = Math.max(0, this.#column - count)
    else if (command === 'G') this.#column = Math.min(count - 1, WIDTH)
  }

  #erase(params: string): void {
    if (params === '1') {
      for (let at = 0; at <= Math.min(this.#column, this.#characters.length - 1); at++) this.#put(at, ' ', PLAIN)
      return
    }
    const kept = params === '2' ? 0 : this.#column
    this.#characters.length = Math.min(this.#characters.length, kept)
    this.#styles.length = this.#characters.length
  }
}

/** Unicode control picture or code point: nothing stays hidden, and no text changes direction. */
function visible(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x24_00 + code)
  if (code === 0x7f) return '\u2421'
  return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`
}
