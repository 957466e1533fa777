/** What a program said last: its reason, as a rule. A line of a server can be of any length. */
export function lastLine(output: Buffer | string): string {
  const text = output.toString().trimEnd()
  return text
    .slice(text.lastIndexOf('\n') + 1)
    .trim()
    .slice(0, 1000)
}
