// The patterns of `artifacts.paths` and of `pull_requests`: which paths they match, and which folders to search.
//
// The author of a pattern also names the files, so matching must be fast for any input: no regular expression that could backtrack is
// used. Each star is retried from the last one on, and each pair of segments is compared once.

/** `*` and `?` stay within a segment, `**` matches any number of segments. */
export type PathMatcher = (path: string) => boolean

/** Without it, a leading dot of a name must be in the pattern. */
type MatchOptions = { readonly matchesDotNames?: boolean }

/** A folder to search, and how many levels deep. Both come from the pattern, so neither leads out. */
export type Search = { readonly folder: string; readonly depth: number }

const MOST_DEPTH = 64
/** Of one pattern with alternatives. */
const MOST_ALTERNATIVES = 100

export function matcherOf(patterns: readonly string[], { matchesDotNames = false }: MatchOptions = {}): PathMatcher {
  const known = patterns.flatMap((pattern) => alternativesOf(pattern) ?? []).map((one) => one.split('/').map(segmentOf))
  return (path) => {
    const names = path.split('/')
    return known.some((segments) => matches(segments, names, matchesDotNames))
  }
}

/** The patterns without braces; undefined if there would be too many. */
export function alternativesOf(pattern: string): readonly string[] | undefined {
  const done: string[] = []
  const open = [pattern]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = innermostGroup(next)
    if (!group) done.push(next)
    else open.push(...group)
    if (done.length + open.length > MOST_ALTERNATIVES) return undefined
  }
  return [...new Set(done)]
}

/** The pattern with its first innermost group replaced by each of its words. A group of one word stands for itself, as in shells. */
function innermostGroup(pattern: string): readonly string[] | undefined {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern)
  if (!found?.[1]) return undefined
  const [before, after] = [pattern.slice(0, found.index), pattern.slice(found.index + found[0].length)]
  return found[1].split(',').map((word) => `${before}${word}${after}`)
}

export function searchesOf(patterns: readonly string[]): readonly Search[] {
  const depths = new Map<string, number>()
  for (const pattern of patterns.flatMap((one) => alternativesOf(one) ?? [])) {
    const segments = pattern.split('/')
    const magic = segments.findIndex((segment) => /[*?[]/.test(segment))
    const fixed = magic < 0 ? segments.length - 1 : magic
    const rest = segments.slice(fixed)
    const folder = segments.slice(0, fixed).join('/')
    const depth = rest.includes('**') ? MOST_DEPTH : Math.min(rest.length, MOST_DEPTH)
    depths.set(folder, Math.max(depth, depths.get(folder) ?? 0))
  }
  return [...depths].map(([folder, depth]) => ({ folder, depth }))
}

type Token = (character: string) => boolean
type Segment = '**' | { readonly beginsWithDot: boolean; readonly tokens: readonly (Token | '*')[] }

function segmentOf(text: string): Segment {
  if (text === '**') return '**'
  const tokens: (Token | '*')[] = []
  const characters = Array.from(text)
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? ''
    const end = character === '[' ? characters.indexOf(']', at + 2) : -1
    if (character === '*') tokens.push('*')
    else if (character === '?') tokens.push(() => true)
    else if (end > 0) {
      tokens.push(setOf(characters.slice(at + 1, end)))
      at = end
    } else tokens.push((other) => other === character)
  }
  return { beginsWithDot: text.startsWith('.'), tokens }
}

/** Such as `a-z0`, or `!a-z0` for all others. */
function setOf(characters: readonly string[]): Token {
  const isNegated = characters[0] === '!' || characters[0] === '^'
  const words = isNegated ? characters.slice(1) : characters
  const ranges: [string, string][] = []
  for (let at = 0; at < words.length; at += 1) {
    const [first = '', dash, last] = words.slice(at, at + 3)
    const isRange = dash === '-' && last !== undefined
    ranges.push([first, isRange ? last : first])
    if (isRange) at += 2
  }
  return (character) => ranges.some(([first, last]) => first <= character && character <= last) !== isNegated
}

/** Whether the segments match the names: tracks how far each prefix of the pattern can reach. */
function matches(segments: readonly Segment[], names: readonly string[], matchesDotNames: boolean): boolean {
  const isHidden = (name: string | undefined): boolean => !matchesDotNames && name?.startsWith('.') === true
  let reached = new Set([0])
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    const next = new Set<number>()
    for (const from of reached) {
      if (segment !== '**') {
        const name = names[from]
        if (name === undefined || (isHidden(name) && !segment.beginsWithDot)) continue
        if (matchesName(segment, name)) next.add(from + 1)
        continue
      }
      // At the end it matches what is below the folder, not the folder itself.
      if (!isLast) next.add(from)
      for (let to = from; to < names.length && !isHidden(names[to]); to += 1) next.add(to + 1)
    }
    reached = next
  }
  return reached.has(names.length)
}

/** A star matches as little as possible; if the rest does not match, the last star takes one character more. */
function matchesName({ tokens }: Exclude<Segment, '**'>, name: string): boolean {
  const characters = Array.from(name)
  let [at, token, star, taken] = [0, 0, -1, 0]
  while (at < characters.length) {
    const expected = tokens[token]
    if (expected === '*') {
      star = token
      taken = at
      token += 1
    } else if (expected?.(characters[at] ?? '')) {
      at += 1
      token += 1
    } else if (star >= 0) {
      taken += 1
      at = taken
      token = star + 1
    } else return false
  }
  return tokens.slice(token).every((rest) => rest === '*')
}
