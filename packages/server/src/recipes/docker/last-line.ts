/** What a program said last: its reason, as a rule. */
export function lastLine(output: Buffer | string): string {
  return output.toString().trim().split('\n').at(-1) ?? ''
}
