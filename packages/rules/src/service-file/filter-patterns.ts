// Filters of `pull_requests`: which changed files, or which target branch, a list of patterns includes.
import { matcherOf, type PathMatcher } from './artifact-glob.ts'

/**
 * The last pattern that matches decides; `!` excludes. A list that begins with an exclusion includes everything else. An empty list
 * includes everything.
 */
export const filterOf = (patterns: readonly string[]): PathMatcher => countingFilter(patterns, () => undefined)

/** Some tenths of a second. Three thousand files and twenty usual patterns take a tenth of it. */
const MOST_STEPS = 5_000_000

/**
 * Whether one of the paths is included. The authors of patterns and of paths may make matching slow on purpose: what takes too long counts
 * as included.
 */
export function includesAny(patterns: readonly string[], paths: readonly string[]): boolean {
  let left = MOST_STEPS
  const isIncluded = countingFilter(patterns, (steps) => {
    left -= steps
  })
  return paths.some((path) => isIncluded(path) || left < 0)
}

function countingFilter(patterns: readonly string[], spend: (steps: number) => void): PathMatcher {
  const rules = patterns.map((pattern) => {
    const isExcluding = pattern.startsWith('!')
    const matches = matcherOf([isExcluding ? pattern.slice(1) : pattern], { matchesDotNames: true, spend })
    return { isExcluding, matches }
  })
  const includesRest = rules[0]?.isExcluding ?? true
  return (path) => {
    const last = rules.findLast(({ matches }) => matches(path))
    return last ? !last.isExcluding : includesRest
  }
}
