// Hiding 200 values in output, against a pass that copies the same bytes one by one.
import { randomBytes } from 'node:crypto'
import { createMask } from '../packages/server/src/secrets/mask.ts'
import { median, type Verdict } from './verdict.ts'

const PIECE = 64 * 1024
const TURNS = 7

export function benchMask(): readonly Verdict[] {
  const values = Array.from({ length: 200 }, () => randomBytes(24).toString('base64'))
  const mask = createMask(values)
  const texts = {
    'a log of a build': Array.from(
      { length: 60_000 },
      (_, at) => `#${at} [web 3/9] RUN npm ci: added ${at * 7} packages\n`,
    ),
    base64: [randomBytes(3_000_000).toString('base64')],
    'base64 in lines': [randomBytes(3_000_000).toString('base64').replaceAll(/.{76}/g, '$&\n')],
    'a log that shows a value in each tenth line': Array.from({ length: 60_000 }, (_, at) =>
      at % 10 === 0 ? `export TOKEN=${values[at % 200]}\n` : `line ${at} of the output of a build that says much\n`,
    ),
  }
  return Object.entries(texts).map(([what, lines]) => {
    const bytes = Buffer.from(lines.join(''))
    const [copying, masking] = [copyByByte, maskAll(mask)].map((work) => {
      work(bytes)
      return median(Array.from({ length: TURNS }, () => megabytesPerSecond(bytes, work)))
    })
    return {
      what: `hiding 200 values in ${what}, against copying it byte by byte`,
      figure: (masking ?? 0) / (copying ?? 1),
      atLeast: 0.1,
      detail: `${Math.round(masking ?? 0)} MB/s against ${Math.round(copying ?? 0)} MB/s`,
    }
  })
}

const maskAll = (mask: ReturnType<typeof createMask>) => (bytes: Buffer) => {
  const stream = mask.stream()
  for (let from = 0; from < bytes.length; from += PIECE) stream.write(bytes.subarray(from, from + PIECE))
  stream.end()
}

function copyByByte(bytes: Buffer): void {
  const copy = new Uint8Array(PIECE)
  for (let from = 0; from < bytes.length; from += PIECE) {
    const piece = bytes.subarray(from, from + PIECE)
    for (let at = 0; at < piece.length; at++) copy[at] = piece[at] ?? 0
  }
}

function megabytesPerSecond(bytes: Buffer, work: (bytes: Buffer) => void): number {
  const begin = performance.now()
  work(bytes)
  return bytes.length / 1000 / (performance.now() - begin)
}
