// Extracting the output of one command from that of a session.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MarkedOutput } from './marked-output.ts'

const WORD = 'a1b2c3d4e5f6a1b2c3d4e5f6'

/** Contains parts of marks, their words, and their first byte. */
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom('\0', WORD, `\0${WORD}`, `\0${WORD} ends`, `\0${WORD.slice(0, 9)}`, ' ends 0\n', '\n')
    .map(Buffer.from),
)

const read = (stream: Buffer, cuts: readonly number[]) => {
  const output = new MarkedOutput(WORD)
  const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length]
  const pieces = places.slice(1).map((place, index) => output.read(stream.subarray(places[index], place)))
  return { printed: Buffer.concat(pieces), output }
}

describe('the output of one command', () => {
  test('is everything between its marks, in pieces of any size', () => {
    const streams = fc.tuple(fc.array(piece), fc.array(piece), fc.array(piece), fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(streams, fc.array(fc.nat(), { maxLength: 30 }), ([before, own, after, code], cuts) => {
        const printed = Buffer.concat(own)
        fc.pre(!printed.includes(`\0${WORD} ends `) && !Buffer.concat(before).includes(`\0${WORD} begins -\n`))
        const marked = [
          ...before,
          Buffer.from(`\0${WORD} begins -\n`),
          printed,
          Buffer.from(`\0${WORD} ends ${code}\n`),
        ]
        const { printed: found, output } = read(Buffer.concat([...marked, ...after]), cuts)
        expect(found.equals(printed)).toBe(true)
        expect(output.exitCode).toBe(code)
      }),
    )
  })

  test('is passed on at once, unless it may be the start of a mark', () => {
    const output = new MarkedOutput(WORD)
    expect(output.read(Buffer.from(`motd\n\0${WORD} begins -\nline\n`)).toString()).toBe('line\n')
    expect(output.read(Buffer.from('half a line')).toString()).toBe('half a line')
    expect(output.read(Buffer.from('\0a1')).length).toBe(0)
    expect(output.read(Buffer.from('x')).toString()).toBe('\0a1x')
    expect(output.exitCode).toBe(undefined)
  })

  test.each(['256', '-1', '1e2', '', '0 ', '99999999999'])('has no exit code %j', (code) => {
    const output = new MarkedOutput(WORD)
    expect(() => output.read(Buffer.from(`\0${WORD} begins -\n\0${WORD} ends ${code}\n`))).toThrow(TypeError)
  })
})
