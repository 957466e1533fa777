/**
 * The forms of a secret in output: as it is, and as shells, JSON, URLs, Compose, base64 and hex encode it.
 * A form is a string with one character for each byte. Hiding every form of a value hides the value.
 */
import { backtickKey } from './variable-file.ts'

/** Shorter values are not hidden: without every `on` or `3000` output would be unreadable, and nothing would be kept secret. */
export const leastCharacters = 6

export function encodingsOf(value: string): ReadonlySet<string> {
  const forms = new Set<string>()
  const { wholes, lines } = textsOf(value)
  for (const text of [...wholes, ...lines]) {
    if (plain.test(text)) addPieces(forms, text)
    else for (const spelling of new Set(spellingsOf(text))) addPieces(forms, bytesOf(spelling))
  }
  for (const text of wholes) for (const digits of new Set(digitsOf(text))) addPieces(forms, digits)
  return forms
}

/** Whether any form of the value is hidden. */
export const isMaskable = (value: string): boolean => Object.values(textsOf(value)).some((texts) => texts.length > 0)

/** Longer forms are split, and each piece is a form of its own. This bounds how many bytes a stream has to hold back. */
export const mostFormBytes = 128

function addPieces(forms: Set<string>, form: string): void {
  for (let from = 0; from + mostFormBytes < form.length; from += mostFormBytes)
    forms.add(form.slice(from, from + mostFormBytes))
  forms.add(form.slice(-mostFormBytes))
}

type Texts = { readonly wholes: readonly string[]; readonly lines: readonly string[] }

/** The value, the words a shell makes of it without quotes, and its long lines if it has several. */
function textsOf(value: string): Texts {
  const filled = value.split(/[\r\n]+/).flatMap((line) => line.trim() || [])
  const joined = value.trim().split(/\s+/).join(' ')
  const wholes = new Set([value, joined, ...(filled.length === 1 ? filled : [])])
  const lines = filled.filter((line) => line.length >= leastLineCharacters && !pemBoundary.test(line))
  return {
    wholes: [...wholes].filter((text) => text.length >= leastCharacters),
    lines: filled.length > 1 ? [...new Set(lines)] : [],
  }
}

const leastLineCharacters = 8
/** Not secret: the same in every key. */
const pemBoundary = /^-----(BEGIN|END) [A-Z0-9 ]+-----$/

/** All encodings leave it unchanged. */
const plain = /^[A-Za-z0-9_.-]*$/

function spellingsOf(text: string): readonly string[] {
  const doubled = text.replaceAll('$', '$$$$')
  return [
    text,
    ...jsonSpellings(text),
    ...urlSpellings(text),
    ...shellSpellings(text),
    goSpelling(text),
    // `compose config` doubles each dollar, in YAML and JSON.
    ...[text, doubled].flatMap((dollars) => [dollars.replaceAll("'", "''"), yamlSpelling(dollars)]),
    doubled,
    ...jsonSpellings(doubled),
  ]
}

function jsonSpellings(text: string): readonly string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const ascii = plain.replaceAll(/\P{ASCII}/gu, unicodeEscape)
  return [
    ...[plain, ascii, ascii.replaceAll(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`)],
    ...[plain, ascii].map((json) => json.replaceAll('/', '\\/')),
    // Go escapes for HTML.
    plain.replaceAll(/[<>&\u2028\u2029]/g, unicodeEscape),
    // JSON inside JSON.
    JSON.stringify(plain).slice(1, -1),
  ]
}

const unicodeEscape = (character: string): string =>
  [...Array(character.length).keys()].map((at) => `\\u${hexDigits(character.charCodeAt(at), 4)}`).join('')

const hexDigits = (code: number, length: number): string => code.toString(16).padStart(length, '0')

function urlSpellings(text: string): readonly string[] {
  const strict = encodeURIComponent(text).replaceAll(/[!'()*]/g, percent)
  const form = strict.replaceAll('%20', '+').replaceAll('~', '%7E').replaceAll('%2A', '*')
  const spellings = [
    ...[encodeURIComponent(text), strict, strict.replaceAll('%2F', '/'), encodeURI(text), form],
    strict.replaceAll('%20', '+'),
  ]
  return spellings.flatMap((upper) => [upper, upper.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())])
}

const percent = (character: string): string => `%${hexDigits(character.charCodeAt(0), 2).toUpperCase()}`

function shellSpellings(text: string): readonly string[] {
  const escaped = text.replaceAll(/[\\"$]/g, '\\$&')
  const ansi = text.replaceAll(/[\\'\p{Cc}]/gu, (character) => ansiEscapes.get(character) ?? octal(character))
  return [
    ...["'\\''", `'"'"'`].map((quote) => text.replaceAll("'", quote)),
    // dash quotes a run of single quotes as one.
    text.replaceAll(/'+/g, `'"$&"'`),
    ...[escaped, escaped.replaceAll('`', '\\`'), escaped.replaceAll('`', `\${${backtickKey}}`)],
    // printf %q of bash: with backslashes, or as $'…' if a character is not printable.
    text.replaceAll(/[\s'"\\|&;()<>!{}*[\]?^$`,]/g, '\\$&').replace(/^[#~]|(?<=[:=])~/g, '\\$&'),
    text.replaceAll(/[\s'"\\|&;()<>!{}*[\]?^$`,#~=]/g, '\\$&'),
    ...[ansi, ansi.replaceAll(/\P{ASCII}/gu, octal)],
  ]
}

const octal = (character: string): string =>
  [...Buffer.from(character)].map((code) => `\\${code.toString(8).padStart(3, '0')}`).join('')

/** As %q of Go prints it, for example in messages of Docker. */
function goSpelling(text: string): string {
  return text.replaceAll(/[\\"\p{Cc}\u00a0\u2028\u2029\ufeff]/gu, (character) => {
    const code = character.charCodeAt(0)
    return goEscapes.get(character) ?? (code < 0x80 ? `\\x${hexDigits(code, 2)}` : `\\u${hexDigits(code, 4)}`)
  })
}

/** In double quotes. */
function yamlSpelling(text: string): string {
  return text.replaceAll(/[\\"\p{Cc}\u00a0\u2028\u2029\ufeff\u{10000}-\u{10ffff}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    const [letter, length] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8]
    return yamlEscapes.get(character) ?? `\\${letter}${hexDigits(code, Number(length)).toUpperCase()}`
  })
}

/** Maps each character to its escape sequence. */
const escapes = (characters: string, letters: string): Map<string, string> =>
  new Map([...characters].map((character, at) => [character, `\\${letters[at]}`]))

const ansiEscapes = escapes("\\'\x07\b\t\n\v\f\r\x1b", "\\'abtnvfrE")
const goEscapes = escapes('\\"\x07\b\t\n\v\f\r', '\\"abtnvfr')
const yamlEscapes = escapes('\\"\x07\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029', '\\"abtnvfreN_LP')

function digitsOf(text: string): readonly string[] {
  const bytes = Buffer.from(text)
  return [...base64(bytes), ...base64(Buffer.from(`${text}\n`)), ...hex(bytes)]
}

/** By itself, and inside a longer text, where it starts at one of three offsets in a group and shares its first and last digit. */
function base64(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('base64')
  const inside = [0, 1, 2].flatMap((shift) => {
    const digits = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(Math.ceil((shift * 8) / 6))
    const own = Math.floor(((shift + bytes.length) * 8) / 6) - Math.ceil((shift * 8) / 6)
    // In the middle of the longer text, and at its end.
    return [digits.slice(0, own), digits]
  })
  // The line widths of base64(1) and PEM.
  const lines = [76, 64].flatMap((width) => linesOf(whole, width))
  return [...inside, ...lines].flatMap((digits) => {
    const bare = digits.replaceAll('=', '')
    return [digits, bare, bare.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** 60 is the line width of xxd -p. */
function hex(bytes: Buffer): readonly string[] {
  const whole = bytes.toString('hex')
  return [whole, ...linesOf(whole, 60)].flatMap((digits) => [digits, digits.toUpperCase()])
}

function linesOf(digits: string, width: number): string[] {
  if (digits.length <= width) return []
  const lines = Array.from({ length: Math.ceil(digits.length / width) }, (_, at) =>
    digits.slice(at * width, (at + 1) * width),
  )
  return lines.filter((line) => line.length >= leastLineCharacters)
}

const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')
