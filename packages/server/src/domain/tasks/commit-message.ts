// The first line of a commit message, shortened.

/** Null if there is no message, or one of nothing but space. */
export function firstLineOf(message: string | null): string | null {
  const [first = ''] = (message ?? '').trimStart().split(/[\r\n]/, 1)
  return first.trimEnd() || null
}
