// Filters of `pull_requests`: which changed files, or which target branch, a list of patterns includes.
import { matcherOf, type PathMatcher } from './artifact-glob.ts'

/**
 * The last pattern that matches decides; `!` excludes. A list that begins with an exclusion includes everything else. An empty list
 * includes everything.
 */
export function filterOf(patterns: readonly string[]): PathMatcher {
  const rules = patterns.map((pattern) => {
    const isExcluding = pattern.startsWith('!')
    const matches = matcherOf([isExcluding ? pattern.slice(1) : pattern], { matchesDotNames: true })
    return { isExcluding, matches }
  })
  const includesRest = rules[0]?.isExcluding ?? true
  return (path) => {
    const last = rules.findLast(({ matches }) => matches(path))
    return last ? !last.isExcluding : includesRest
  }
}
