/**
 * The last line of a program's output, usually the reason of a failure. Its length is limited, since a server can send a line of any
 * length: to far more than is shown of it, because a task masks it before it is shortened. Half of a secret would not be masked.
 */
export function lastLine(output: Buffer | string): string {
  const text = output.toString().trimEnd()
  return text
    .slice(text.lastIndexOf('\n') + 1)
    .trim()
    .slice(0, MOST_CHARACTERS)
}

const MOST_CHARACTERS = 16_384
