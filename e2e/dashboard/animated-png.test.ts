import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { animatePng } from './animated-png.ts'

type Color = readonly [red: number, green: number, blue: number]
const INK: Color = [15, 33, 39]
const PAPER: Color = [244, 246, 246]
const WIDTH = 8
const HEIGHT = 5

test('a frame holds only what changed, and one without a change prolongs the one before', () => {
  const before = picture(() => PAPER)
  const after = picture((x, y) => (x >= 2 && x <= 4 && y === 3 ? INK : PAPER))
  const chunks = chunksOf(
    animatePng([
      { png: before, ms: 400 },
      { png: before, ms: 200 },
      { png: after, ms: 300 },
    ]),
  )
  expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND'])
  const [, count, first, whole, second, part] = chunks.map(({ data }) => data)
  expect(count?.readUInt32BE(0)).toBe(2)
  expect(control(first)).toEqual({ sequence: 0, width: WIDTH, height: HEIGHT, x: 0, y: 0, ms: 600 })
  expect(control(second)).toEqual({ sequence: 1, width: 3, height: 1, x: 2, y: 3, ms: 300 })
  expect(part?.readUInt32BE(0)).toBe(2)
  expect([...inflateSync(part?.subarray(4) ?? Buffer.alloc(0))]).toEqual([0, ...INK, ...INK, ...INK])
  expect(inflateSync(whole ?? Buffer.alloc(0))).toEqual(
    Buffer.concat(Array.from({ length: HEIGHT }, () => Buffer.from([0, ...Array(WIDTH).fill(PAPER).flat()]))),
  )
})

test.each([3, 4])('pixels of %i bytes are read with each filter of PNG', (bytes) => {
  const colored = (x: number, y: number): Color => [(x * 37 + y) % 256, (y * 91) % 256, (x * y * 13) % 256]
  const [, , , whole] = chunksOf(animatePng([{ png: picture(colored, bytes), ms: 100 }]))
  const rows = Array.from({ length: HEIGHT }, (_, y) => [
    0,
    ...Array.from({ length: WIDTH }, (_, x) => colored(x, y)).flat(),
  ])
  expect([...inflateSync(whole?.data ?? Buffer.alloc(0))]).toEqual(rows.flat())
})

/** With another filter for each row. */
function picture(colorAt: (x: number, y: number) => Color, bytes = 3): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Array.from({ length: WIDTH }, (_, x) => [...colorAt(x, y), 255].slice(0, bytes)).flat(),
  )
  const filtered = rows.flatMap((row, y) => [
    y % 5,
    ...row.map((value, at) => {
      const [left, up, corner] = [row[at - bytes] ?? 0, rows[y - 1]?.[at] ?? 0, rows[y - 1]?.[at - bytes] ?? 0]
      return (value - ([0, left, up, (left + up) >> 1, paeth(left, up, corner)][y % 5] ?? 0)) & 255
    }),
  ])
  const header = Buffer.from([0, 0, 0, WIDTH, 0, 0, 0, HEIGHT, 8, bytes === 3 ? 2 : 6, 0, 0, 0])
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(filtered))),
    chunk('IEND'),
  ])
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const distances = [left, up, corner].map((value) => Math.abs(guess - value))
  return [left, up, corner][distances.indexOf(Math.min(...distances))] ?? 0
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

function chunksOf(png: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const end = at + 8 + png.readUInt32BE(at)
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)))
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) })
  }
  return chunks
}

function control(data: Buffer | undefined) {
  const [sequence, width, height, x, y] = [0, 4, 8, 12, 16].map((at) => data?.readUInt32BE(at))
  expect(data?.readUInt16BE(22)).toBe(1000)
  return { sequence, width, height, x, y, ms: data?.readUInt16BE(20) }
}
