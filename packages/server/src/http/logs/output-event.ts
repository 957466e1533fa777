// Output as a server-sent event. Its id is the byte offset after it; its text is made of those bytes and of no others.

/** How many of these bytes make whole characters and whole line ends; the others wait for what comes after them. */
export function wholeLength(bytes: Uint8Array): number {
  const length = bytes.length
  // A carriage return may be the first half of a line end.
  if (bytes[length - 1] === CARRIAGE_RETURN) return length - 1
  for (let back = 1; back <= Math.min(3, length); back++) {
    const expected = sequenceLength(bytes[length - back] ?? 0)
    if (expected > 1) return expected > back ? length - back : length
    if (expected === 1) return length
  }
  return length
}

/** Bytes that are no UTF-8 become replacement characters. Every kind of line end is one line end to readers of events. */
export function outputEvent(bytes: Buffer, endOffset: number): string {
  const lines = bytes.toString('utf8').split(/\r\n|\r|\n/)
  return `id: ${endOffset}\nevent: output\n${lines.map((line) => `data: ${line}\n`).join('')}\n`
}

const CARRIAGE_RETURN = 0x0d

/** By the first byte of a character; 0 for a byte that continues one. */
function sequenceLength(byte: number): number {
  if (byte < 0x80) return 1
  if (byte < 0xc0) return 0
  if (byte < 0xc2 || byte > 0xf4) return 1
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
}
