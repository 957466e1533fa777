// The hits of one line, of hits that are sorted by line.
import type { Hit } from '../../data/log/search.ts'
import type { MarkedPart } from './spans.ts'

/** Undefined where there is none, so that a line is not drawn again. */
export function hitsOf(
  line: number,
  hits: readonly Hit[],
  current: Hit | undefined,
): readonly MarkedPart[] | undefined {
  let [low, high] = [0, hits.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hits[middle]?.line ?? 0) < line) low = middle + 1
    else high = middle
  }
  const found: MarkedPart[] = []
  for (let hit = hits[low]; hit?.line === line; hit = hits[++low]) {
    found.push({ from: hit.from, to: hit.to, isCurrent: hit === current })
  }
  return found.length === 0 ? undefined : found
}
