// Makes an animated PNG from screenshots. Each frame holds only the rectangle that changed since the one before.
import { crc32, deflateSync, inflateSync } from 'node:zlib'

export type Frame = { readonly png: Buffer; readonly ms: number }

type Picture = { readonly width: number; readonly height: number; readonly rows: readonly Buffer[] }
type Part = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

export function animatePng(frames: readonly Frame[]): Buffer {
  const shown: { picture: Picture; part: Part; ms: number }[] = []
  for (const { png, ms } of frames) {
    const picture = decode(png)
    const last = shown.at(-1)
    const part = last ? findChange(last.picture, picture) : { ...picture, x: 0, y: 0 }
    if (part) shown.push({ picture, part, ms })
    else if (last) last.ms += ms
  }
  const [first] = shown
  if (!first) throw new Error('An animation needs a frame')
  let sequence = 0
  const chunks = shown.flatMap(({ picture, part, ms }, index) => {
    const { width, height, x, y } = part
    // Neither disposed of nor blended: what did not change stays.
    const control = [...bytesOf(sequence++, width, height, x, y), ...bytesOf((ms << 16) | 1000), 0, 0]
    const data = deflateSync(Buffer.concat(cut(picture, part)), { level: 9 })
    const body = index === 0 ? chunk('IDAT', data) : chunk('fdAT', bytesOf(sequence++), data)
    return [chunk('fcTL', Buffer.from(control)), body]
  })
  const header = chunk('IHDR', bytesOf(first.picture.width, first.picture.height), Buffer.from([8, RGB, 0, 0, 0]))
  return Buffer.concat([SIGNATURE, header, chunk('acTL', bytesOf(shown.length, 0)), ...chunks, chunk('IEND')])
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const RGB = 2
const BYTES = 3

function bytesOf(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number >>> 0, index * 4)
  return bytes
}

function chunk(type: string, ...data: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...data])
  return Buffer.concat([bytesOf(body.length - 4), body, bytesOf(crc32(body))])
}

/** Of 8 bits a color without a palette or interlacing, as Chromium makes them. */
function decode(png: Buffer): Picture {
  const packed: Buffer[] = []
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const [width, height, step] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === RGB ? BYTES : BYTES + 1]
  const data = inflateSync(Buffer.concat(packed))
  let above = Buffer.alloc(width * step)
  const rows = Array.from({ length: height }, (_, y) => {
    const start = y * (width * step + 1)
    above = restore(data.subarray(start + 1, start + 1 + width * step), { filter: data[start] ?? 0, above, step })
    return step === BYTES ? above : Buffer.from(above.filter((_, index) => index % step !== BYTES))
  })
  return { width, height, rows }
}

type Filtered = { readonly filter: number; readonly above: Buffer; readonly step: number }

function restore(row: Buffer, { filter, above, step }: Filtered): Buffer<ArrayBuffer> {
  const restored = Buffer.alloc(row.length)
  for (let index = 0; index < row.length; index++) {
    const [left, up, corner] = [restored[index - step] ?? 0, above[index] ?? 0, above[index - step] ?? 0]
    const guess = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter] ?? 0
    restored[index] = (row[index] ?? 0) + guess
  }
  return restored
}

function nearest(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (byLeft <= byUp && byLeft <= byCorner) return left
  return byUp <= byCorner ? up : corner
}

/** Undefined if nothing did. */
function findChange(before: Picture, { width, height, rows }: Picture): Part | undefined {
  const changed = rows.flatMap((row, y) => (row.equals(before.rows[y] ?? Buffer.alloc(0)) ? [] : [y]))
  const [top, bottom] = [changed[0], changed.at(-1)]
  if (top === undefined || bottom === undefined) return undefined
  const isChanged = (x: number): boolean =>
    changed.some((y) => rows[y]?.compare(before.rows[y] ?? Buffer.alloc(0), ...spanOf(x), ...spanOf(x)) !== 0)
  const left = Array.from({ length: width }, (_, x) => x).findIndex(isChanged)
  const right = Array.from({ length: width }, (_, x) => x).findLastIndex(isChanged)
  return { x: left, y: top, width: right - left + 1, height: Math.min(bottom, height - 1) - top + 1 }
}

const spanOf = (x: number): [number, number] => [x * BYTES, (x + 1) * BYTES]

/** Rows without a filter, which screens compress best with. */
const cut = ({ rows }: Picture, { x, y, width, height }: Part): Buffer[] =>
  rows.slice(y, y + height).flatMap((row) => [Buffer.from([0]), row.subarray(x * BYTES, (x + width) * BYTES)])
