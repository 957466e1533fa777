// Lines marked by the URL hash: `#L504` or `#L504-L510`.
export type MarkedLines = { readonly first: number; readonly last: number }

/** Numbers start at 1. */
export function markedLines(hash: string): MarkedLines | undefined {
  const match = /^#?L([1-9]\d{0,8})(?:-L?([1-9]\d{0,8}))?$/.exec(hash)
  if (match === null) return undefined
  const [one, other] = [Number(match[1]), Number(match[2] ?? match[1])]
  return { first: Math.min(one, other), last: Math.max(one, other) }
}

export function hashOf({ first, last }: MarkedLines): string {
  return first === last ? `L${first}` : `L${first}-L${last}`
}
