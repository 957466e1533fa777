// What a repository holds at a branch, read before a project exists for it.
import type { Recipe } from '@shipway/api/values/recipe'

export type RepositoryReading = {
  readonly sha: string
  readonly branches: readonly string[]
  /** False if it has more files than are listed: a file in a deep folder may be missed. */
  readonly isWhole: boolean
  /** Whether the branch has a `.service.yml`. */
  readonly isPresent: boolean
  /** The `.service.yml` of the branch, else the suggested one. */
  readonly content: string
  readonly recipe: Recipe
  readonly findings: readonly ReadingFinding[]
}

/** `fault`: a deployment would fail. `note`: what the platform changes. `later`: only a deployment can tell. */
type ReadingFinding = {
  readonly kind: 'fault' | 'note' | 'later'
  readonly file: string
  readonly line: number
  readonly column: number
  readonly sentence: string
}
