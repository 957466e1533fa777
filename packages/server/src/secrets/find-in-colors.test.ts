import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMask } from './mask.ts'

const red = '\u001b[01;31m'
const erase = '\u001b[K'
const plain = '\u001b[m'

function mask(value: string, chunks: readonly string[]): string {
  const stream = createMask([value]).stream()
  const pieces = [...chunks.flatMap((chunk) => stream.write(Buffer.from(chunk))), ...stream.end()]
  return Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()
}

test('a value of which grep colors a part is hidden', () => {
  const printed = `PASSWORD=hun${red}${erase}ter${plain}${erase}2!\n`
  expect(mask('hunter2!', [printed])).toBe('PASSWORD=[hidden]\n')
  expect(mask('hunter2!', [...printed])).toBe('PASSWORD=[hidden]\n')
})

test('a value of which every character has its color is hidden', () => {
  const printed = [...'hunter2!']
    .map((character) => `\u001b[38;5;${character.charCodeAt(0)}m${character}\u001b(B`)
    .join('')
  expect(mask('hunter2!', [`${printed}\n`])).toBe('\u001b[38;5;104m[hidden]\u001b(B\n')
})

test('colors around a value, and colored text that is no value, stay', () => {
  expect(mask('hunter2!', [`${red}hunter2!${plain}`])).toBe(`${red}[hidden]${plain}`)
  expect(mask('hunter2!', [`hun${red}ter3!${plain}`])).toBe(`hun${red}ter3!${plain}`)
  expect(mask('hunter2!', [`hun\u001b[`, '9'.repeat(64), 'mter2!'])).toBe(`hun\u001b[${'9'.repeat(64)}mter2!`)
})

test('a value that contains control sequences itself is hidden', () => {
  expect(mask(`hun${red}ter2!`, [`a hun${red}ter2! b`])).toBe('a [hidden] b')
})

test('without its colors no output shows a value, however it is colored and cut', () => {
  const sequence = fc.constantFrom(red, erase, plain, '\u001b(B', '\u001b[38;2;255;100;0m')
  const scene = fc.record({
    value: fc.string({ minLength: 6, maxLength: 40, unit: fc.constantFrom(...'abcmK1;0[B') }),
    colors: fc.array(fc.record({ at: fc.nat(40), sequence }), { maxLength: 12 }),
    cuts: fc.array(fc.nat(200), { maxLength: 4 }),
  })
  const property = fc.property(scene, ({ value, colors, cuts }) => {
    const printed = [...value]
      .map((character, at) => {
        const before = colors.filter((color) => color.at === at).slice(0, 4)
        return before.map((color) => color.sequence).join('') + character
      })
      .join('')
    const text = `< ${printed} >`
    const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].sort((a, b) => a - b)
    const masked = mask(
      value,
      places.slice(1).map((place, at) => text.slice(places[at], place)),
    )
    expect(masked).toBe(mask(value, [text]))
    expect(stripVTControlCharacters(masked)).not.toContain(value)
    expect(masked).toContain('[hidden]')
  })
  fc.assert(property, { numRuns: Number(process.env.MASKS ?? 250) })
})
