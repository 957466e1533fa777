// Lines out of whatever a server sends.
import { expect, test } from 'vitest'
import { LineReader } from './line-reader.ts'

const TIME = '2026-11-16T07:16:33.203343868Z'
const LATER = '2026-11-16T07:16:34.000000000Z'
const shown = (lines: readonly { time: string; service: string; text: Buffer }[]) =>
  lines.map(({ service, text }) => `${service} ${text}`)

test('gives the same lines wherever the bytes are split', () => {
  const bytes = Buffer.from(`${TIME} web one\n${TIME} api \n${LATER} web ü two  words\n`)
  for (let size = 1; size <= bytes.length; size++) {
    const reader = new LineReader()
    const lines = []
    for (let at = 0; at < bytes.length; at += size) lines.push(...reader.add(bytes.subarray(at, at + size)))
    expect(shown(lines)).toEqual(['web one', 'api ', 'web ü two  words'])
    expect(lines[0]?.time).toBe(TIME)
  }
})

test.each([
  'no time at all',
  `${TIME}`,
  `${TIME} web`,
  `${TIME} we"b text`,
  `${TIME} a/b text`,
  `2026-11-16T07:16:33.203343868+ web text`,
  `2026-99-16 07:16:33.203343868Z web text`,
  '',
])('leaves out what is no line: %j', (line) => {
  const reader = new LineReader()
  expect(shown(reader.add(Buffer.from(`${line}\n${TIME} web after\n`)))).toEqual(['web after'])
})

test('joins the pieces of a long line, also with lines of others in between', () => {
  const reader = new LineReader()
  const piece = 'x'.repeat(3500)
  const printed = [
    `${TIME} web ${piece}`,
    `${TIME} api other`,
    `${TIME} web ${piece}`,
    `${TIME} web end`,
    `${LATER} web next`,
  ]
  const lines = reader.add(Buffer.from(`${printed.join('\n')}\n`))
  expect(shown(lines)).toEqual(['api other', `web ${piece}${piece}end`, 'web next'])
})

test('a text of one piece is whole when another line follows, or nothing', () => {
  const piece = 'x'.repeat(3500)
  const reader = new LineReader()
  expect(reader.add(Buffer.from(`${TIME} web ${piece}\n`))).toEqual([])
  expect(reader.isHolding).toBe(true)
  expect(shown(reader.flush())).toEqual([`web ${piece}`])
  reader.add(Buffer.from(`${TIME} web ${piece}\n`))
  expect(shown(reader.add(Buffer.from(`${LATER} web next\n`)))).toEqual([`web ${piece}`, 'web next'])
})

test('a line without an end takes no more memory than the longest one, and the next line is read', () => {
  const reader = new LineReader()
  reader.add(Buffer.from(`${TIME} web start`))
  const part = Buffer.alloc(1024 * 1024, 'x')
  for (let count = 0; count < 100; count++) expect(reader.add(part)).toEqual([])
  const lines = [...reader.add(Buffer.from(`\n${LATER} web next\n`)), ...reader.flush()]
  expect(lines.map(({ text }) => text.length).toSorted((one, other) => one - other)[0]).toBe(4)
  expect(Math.max(...lines.map(({ text }) => text.length))).toBeLessThanOrEqual(80 * 1024)
  expect(lines.length).toBe(2)
})
