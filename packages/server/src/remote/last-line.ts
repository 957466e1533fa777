/**
 * The last line of a program's output, usually the reason of a failure. Its length is limited, since a server can send a line of any
 * length.
 */
export function lastLine(output: Buffer | string): string {
  const text = output.toString().trimEnd()
  return text
    .slice(text.lastIndexOf('\n') + 1)
    .trim()
    .slice(0, 1000)
}
