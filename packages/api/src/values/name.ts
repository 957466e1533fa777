/** What people call things: free text for people, and the two names that become part of a host name. */
import { z } from 'zod'
import { rule } from './rule.ts'
import { countCharacters, hasMarks, hasStoredForm, isVisible } from './text.ts'

const MAX_NAME_CHARACTERS = 200

const MARKS_SENTENCE = 'Leave out line breaks, control characters and marks that turn the direction of text'

/** Kept as given, byte for byte: nothing is trimmed or replaced. What would make a line look like another one is refused. */
export const Name = z.string().check(
  rule('required', 'Enter a name', isVisible),
  rule('too_long', `Use at most ${MAX_NAME_CHARACTERS} characters`, isShort),
  rule('invalid_name', 'Leave out the NUL character and broken Unicode', hasStoredForm),
  rule('invalid_name', MARKS_SENTENCE, (text) => !hasMarks(text)),
)

/** A name that may be left empty. */
export const Title = z.string().check(
  rule('invalid_title', 'Enter a title, or leave it empty', (text) => text === '' || isVisible(text)),
  rule('too_long', `Use at most ${MAX_NAME_CHARACTERS} characters`, isShort),
  rule('invalid_title', 'Leave out the NUL character and broken Unicode', hasStoredForm),
  rule('invalid_title', MARKS_SENTENCE, (text) => !hasMarks(text)),
)

/**
 * The first label of the environment's domain. `pr-7` and `pr-7-api` belong to pull requests, and two hyphens in the
 * third and fourth place belong to encoded international names.
 */
export const EnvironmentName = z.string().check(
  rule(
    'invalid_environment_name',
    'Use 1 to 50 lower-case letters, digits and hyphens, with a letter or digit at both ends and no -- in third place',
    isEnvironmentLabel,
  ),
  rule(
    'reserved_name',
    'Names such as pr-7 belong to pull requests; choose another',
    (text) => pullRequestOfLabel(text) === undefined,
  ),
)

/** A service of `.service.yml`; Compose allows underscores and dots, so they are allowed here. */
export const ServiceName = z
  .string()
  .check(
    rule(
      'invalid_service_name',
      'Use 1 to 63 lower-case letters, digits, hyphens, underscores and dots, beginning with a letter or digit',
      isServiceName,
    ),
  )

function isShort(text: string): boolean {
  // A UTF-16 length beyond twice the limit cannot be within it: a huge text is not walked.
  return text.length <= MAX_NAME_CHARACTERS * 2 && countCharacters(text) <= MAX_NAME_CHARACTERS
}

function isEnvironmentLabel(text: string): boolean {
  return /^(?!..--)[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/.test(text)
}

/** The environment of the pull request that a label belongs to: `pr-7` for itself and for `pr-7-api`. */
export function pullRequestOfLabel(label: string): string | undefined {
  return /^(pr-[0-9]+)(?:-|$)/.exec(label)?.[1]
}

/** `constructor` fits the pattern, and is refused so that no object keyed by services finds an inherited one. */
function isServiceName(text: string): boolean {
  return /^[a-z0-9][a-z0-9_.-]{0,62}$/.test(text) && !(text in {})
}
