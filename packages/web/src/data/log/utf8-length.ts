// Length of a string in UTF-8, without encoding it.
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    else if (code >= 0xd800 && code < 0xdc00 && isLow(text.charCodeAt(at + 1))) {
      // A surrogate pair: two code units, four bytes.
      bytes += 2
      at += 1
    } else bytes += 2
  }
  return bytes
}

const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000
