/** Reads the encoding of international labels (RFC 3492), to see whether one says what it should. */

/** The text that stands after `xn--` decoded, or undefined when it is no encoding at all. */
export function decodePunycode(encoded: string): string | undefined {
  const hyphen = encoded.lastIndexOf('-')
  const output = Array.from(encoded.slice(0, Math.max(0, hyphen)), (character) => character.charCodeAt(0))
  const digits = Array.from(encoded.slice(hyphen + 1), (character) => alphabet.indexOf(character))
  if (digits.includes(-1)) return undefined
  let next = 0
  let codePoint = 128
  let position = 0
  let bias = 72
  while (next < digits.length) {
    const number = readNumber(digits.slice(next), bias)
    if (number === undefined) return undefined
    const length = output.length + 1
    bias = adapt(number.value, { length, isFirst: next === 0 })
    next += number.length
    position += number.value
    codePoint += Math.floor(position / length)
    position %= length
    if (codePoint > 0x10ffff) return undefined
    output.splice(position, 0, codePoint)
    position += 1
  }
  return String.fromCodePoint(...output)
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const base = 36

/** One number of variable length, its digits weighed by the bias. */
function readNumber(digits: readonly number[], bias: number): { value: number; length: number } | undefined {
  let value = 0
  let weight = 1
  for (const [index, digit] of digits.entries()) {
    const threshold = Math.min(26, Math.max(1, base * (index + 1) - bias))
    value += digit * weight
    if (value > 0x7fffffff) return undefined
    if (digit < threshold) return { value, length: index + 1 }
    weight *= base - threshold
  }
  return undefined
}

function adapt(value: number, { length, isFirst }: { length: number; isFirst: boolean }): number {
  let delta = Math.floor(value / (isFirst ? 700 : 2))
  delta += Math.floor(delta / length)
  let steps = 0
  while (delta > 455) {
    delta = Math.floor(delta / 35)
    steps += base
  }
  return steps + Math.floor((36 * delta) / (delta + 38))
}
