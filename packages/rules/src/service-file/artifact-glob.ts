// The patterns of `artifacts.paths` and of `pull_requests`: which paths they match, and which folders to search.
//
// The author of a pattern also names the files, so matching must be fast for any input: no regular expression that could backtrack is
// used. Each star is retried from the last one on, and each pair of segments is compared once.

/** `*` and `?` stay within a segment, `**` matches any number of segments. */
export type PathMatcher = (path: string) => boolean

type Matching = {
  /** Without it, a leading dot of a name must be in the pattern. */
  readonly matchesDotNames: boolean
  /** Called with the number of comparisons, for callers that stop at a limit. */
  readonly spend: (steps: number) => void
}

const NO_LIMIT: Matching = { matchesDotNames: false, spend: () => undefined }

/** A folder to search, and how many levels deep. Both come from the pattern, so neither leads out. */
export type Search = { readonly folder: string; readonly depth: number }

const MOST_DEPTH = 64
/** Of one pattern with alternatives. */
const MOST_ALTERNATIVES = 100

export function matcherOf(patterns: readonly string[], options: Matching = NO_LIMIT): PathMatcher {
  const known = patterns.flatMap((pattern) => alternativesOf(pattern) ?? []).map((one) => one.split('/').map(segmentOf))
  return (path) => {
    const names = path.split('/')
    return known.some((segments) => matches(segments, names, options))
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
  const found = /\{([^{},]*,[^{}]*)\}/.exec(pattern)
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

/** Whether the segments match the names: tracks which prefixes of the path each prefix of the pattern can match. */
function matches(segments: readonly Segment[], names: readonly string[], options: Matching): boolean {
  const isHidden = (name: string | undefined): boolean => !options.matchesDotNames && name?.startsWith('.') === true
  let reached = new Set([0])
  for (const [index, segment] of segments.entries()) {
    if (reached.size === 0) return false
    reached = segment === '**' ? spread(index === segments.length - 1) : advance(segment)
  }
  return reached.has(names.length)

  /** One pass, however many prefixes were reached. At the end it matches what is below the folder, not the folder itself. */
  function spread(isLast: boolean): Set<number> {
    const next = new Set(isLast ? [] : reached)
    let isOpen = false
    for (const [at, name] of names.entries()) {
      isOpen = (isOpen || reached.has(at)) && !isHidden(name)
      if (isOpen) next.add(at + 1)
    }
    options.spend(names.length)
    return next
  }

  function advance(segment: Exclude<Segment, '**'>): Set<number> {
    const next = new Set<number>()
    for (const from of reached) {
      const name = names[from]
      if (name === undefined || (isHidden(name) && !segment.beginsWithDot)) continue
      if (matchesName(segment, name, options)) next.add(from + 1)
    }
    return next
  }
}

/** A star matches as little as possible; if the rest does not match, the last star takes one character more. */
function matchesName({ tokens }: Exclude<Segment, '**'>, name: string, { spend }: Matching): boolean {
  const characters = Array.from(name)
  let [at, token, star, taken] = [0, 0, -1, 0]
  let steps = 1
  while (at < characters.length) {
    steps += 1
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
    } else {
      spend(steps)
      return false
    }
  }
  spend(steps)
  return tokens.slice(token).every((rest) => rest === '*')
}
