// Reads a Range header (RFC 9110, section 14): one range of bytes. What is not one is left alone, as the standard says.

/** From the first byte to before the last. */
export type ByteRange = { readonly from: number; readonly to: number }

/** Undefined where everything is to be sent; `none` where the range holds no byte of what is there. */
export function readRange(header: string | undefined, length: number): ByteRange | 'none' | undefined {
  const match = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '')
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return lastBytes(Number(last), length)
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= length) return 'none'
  return { from: Number(first), to: last === '' ? length : Math.min(Number(last) + 1, length) }
}

function lastBytes(count: number, length: number): ByteRange | 'none' {
  return count === 0 || length === 0 ? 'none' : { from: Math.max(0, length - count), to: length }
}
