// The name of a check at a git host: of a CI job, a check run or a commit status.
import { z } from 'zod'
import { rule } from './rule.ts'
import { hasControlCharacters, isVisible } from './text.ts'

const MOST_CHARACTERS = 200

export const CheckName = z
  .string()
  .check(
    rule(
      'invalid_check',
      `Give the name of a check as the git host shows it, of at most ${MOST_CHARACTERS} characters`,
      (name) => name.length <= MOST_CHARACTERS && isVisible(name) && !hasControlCharacters(name),
    ),
  )

/** Of one project. */
export const MOST_CHECK_NAMES = 20
