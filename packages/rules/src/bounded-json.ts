// Parses untrusted JSON. A few characters can create a value or a level, so both are counted before parsing.

export type JsonLimits = { readonly values: number; readonly depth: number }

export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge'
  readonly limits: JsonLimits

  constructor(limits: JsonLimits) {
    super(`There are more than ${limits.values} values, or more than ${limits.depth} levels`)
    this.limits = limits
  }
}

/** Throws a JsonTooLarge, or what the parser throws. */
export function parseBoundedJson(text: string, limits: JsonLimits): unknown {
  checkJsonSize(text, limits)
  return JSON.parse(text)
}

/** Throws a JsonTooLarge. Every value but the first of a list, an object or the text follows a comma. */
export function checkJsonSize(text: string, limits: JsonLimits): void {
  let values = 1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA) values++
    else if (code === OPENS_LIST || code === OPENS_OBJECT) {
      depth++
      values++
    } else if (code === CLOSES_LIST || code === CLOSES_OBJECT) depth--
    if (values > limits.values || depth > limits.depth) throw new JsonTooLarge(limits)
  }
}

/** Index of the closing quote; the end of the text if there is none, which the parser then reports. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) return at
  }
  return text.length
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPENS_LIST, CLOSES_LIST, OPENS_OBJECT, CLOSES_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
