import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineStore } from './line-store.ts'
import { utf8Length } from './utf8-length.ts'

const encoder = new TextEncoder()

function stored(pieces: readonly string[], store = new LineStore()): LineStore {
  let offset = store.bytes
  for (const piece of pieces) {
    offset += encoder.encode(piece).length
    store.append(piece, offset)
  }
  return store
}

function linesOf(store: LineStore): readonly { text: string; start: number }[] {
  const numbers = Array.from({ length: store.count - store.dropped }, (_, index) => store.dropped + index)
  return numbers.map((line) => ({ text: store.lineAt(line), start: store.startOf(line) }))
}

test('lines start at their byte offset, also after multi-byte characters', () => {
  const store = stored(['eins\nzw', 'ö', 'lf\n', '€🚀\nend'])
  expect(linesOf(store)).toEqual([
    { text: 'eins', start: 0 },
    { text: 'zwölf', start: 5 },
    { text: '€🚀', start: 12 },
    { text: 'end', start: 20 },
  ])
  expect(store.bytes).toBe(23)
})

test('a trailing line break adds no line', () => {
  expect(stored(['one\ntwo\n']).count).toBe(2)
  expect(stored(['one\n\n']).count).toBe(2)
  expect(stored([]).count).toBe(0)
})

test('finds the line of a byte', () => {
  const store = stored(['one\n', 'two\n', 'thr', 'ee'])
  expect([0, 3, 4, 7, 8, 12].map((byte) => store.lineOf(byte))).toEqual([0, 0, 1, 1, 2, 2])
  expect(store.lineOf(13)).toBe(3)
})

const Character = fc.constantFrom(
  'a',
  'b',
  '\n',
  '\r',
  '\t',
  '\b',
  '\u001b[31m',
  '\u001b[0m',
  '\u001b[K',
  'ä',
  '€',
  '🚀',
  '\u202e',
)
const Cut = fc.double({ min: 0, max: 1, noNaN: true })

test('any split of the output into chunks gives the same lines', () => {
  fc.assert(
    fc.property(fc.array(Character, { maxLength: 200 }), fc.array(Cut, { maxLength: 20 }), (characters, cuts) => {
      const text = characters.join('')
      // Pieces end between characters, as those of the platform do, and anywhere within a sequence.
      const points = [...text]
      const places = cuts.map((cut) => Math.floor(cut * points.length)).toSorted((one, other) => one - other)
      const pieces = [0, ...places].map((place, index) => points.slice(place, places[index]).join(''))
      expect(pieces.join('')).toBe(text)
      expect(linesOf(stored(pieces))).toEqual(linesOf(stored([text])))
    }),
  )
})

test('byte counts match the encoder', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x10_ff_ff })), (points) => {
      const text = String.fromCodePoint(...points)
      expect(utf8Length(text)).toBe(encoder.encode(text).length)
    }),
  )
})

test('invalid UTF-8 does not shift later lines', () => {
  const store = new LineStore()
  // The replacement character stands for one byte here, and counts as three where it is encoded.
  store.append('a\ufffd\nnext\nlast', 2 + 1 + 5 + 4)
  expect([0, 1, 2].map((line) => store.startOf(line))).toEqual([0, 3, 8])
  store.append('!\nmore', 18)
  expect(store.startOf(3)).toBe(14)
})

test('a progress bar does not grow without bound', () => {
  const store = stored(Array.from({ length: 2_000 }, (_, at) => `\r\u001b[32m${'#'.repeat(100)}\u001b[0m ${at}`))
  expect(store.textAt(0)).toBe(`${'#'.repeat(100)} 1999`)
  store.append('\n', store.bytes + 1)
  expect(store.textAt(0)).toBe(`${'#'.repeat(100)} 1999`)
  expect(store.lineAt(0).length).toBeLessThan(200)
})

test('beyond the bound the oldest lines are dropped and the others keep their numbers', () => {
  const store = stored(
    Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`),
    new LineStore({ characters: 2_000, lines: 100 }),
  )
  expect(store.count).toBe(1_000)
  expect(store.count - store.dropped).toBeLessThanOrEqual(100)
  expect(store.textAt(999)).toBe('line 999')
  expect(store.textAt(store.dropped)).toBe(`line ${store.dropped}`)
  expect(store.lineOf(store.startOf(990))).toBe(990)
})

test('lost output is noted in its place', () => {
  const store = stored(['one\ntw'])
  store.skipTo(100, 'missing')
  store.append('next\n', 105)
  expect(linesOf(store)).toEqual([
    { text: 'one', start: 0 },
    { text: 'tw', start: 4 },
    { text: 'missing', start: 6 },
    { text: 'next', start: 100 },
  ])
})
