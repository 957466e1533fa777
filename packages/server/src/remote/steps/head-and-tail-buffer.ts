// Keeps the first and last part of a stream of bytes, so that an endless stream needs no more memory than a short one.

export type HeadAndTailBuffer = { add(bytes: Buffer): void; bytes(): Buffer }

export function createHeadAndTailBuffer(limit: number): HeadAndTailBuffer {
  const half = Math.floor(limit / 2)
  const head: Buffer[] = []
  let headLength = 0
  let tail: Buffer[] = []
  let tailLength = 0
  let leftOut = 0

  const shortenTail = (): void => {
    const whole = Buffer.concat(tail)
    const cut = Math.max(0, whole.length - half)
    leftOut += cut
    tail = [whole.subarray(cut)]
    tailLength = whole.length - cut
  }

  return {
    add: (bytes) => {
      const first = bytes.subarray(0, half - headLength)
      if (first.length > 0) head.push(first)
      headLength += first.length
      const rest = bytes.subarray(first.length)
      if (rest.length === 0) return
      tail.push(rest)
      tailLength += rest.length
      // Joins only after as many bytes as are kept, so that the cost per byte is constant.
      if (tailLength > 2 * half) shortenTail()
    },
    bytes: () => {
      shortenTail()
      const gap = leftOut === 0 ? '' : `\n[${leftOut} bytes left out]\n`
      return Buffer.concat([...head, Buffer.from(gap), ...tail])
    },
  }
}
