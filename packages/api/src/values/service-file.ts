// The text of a `.service.yml` that a project keeps in its settings. Its rules are those of committed files: see packages/rules.
import { z } from 'zod'
import { rule } from './rule.ts'

/** Of a committed one, too. */
const MOST_BYTES = 256 * 1024

export const ServiceFile = z.string().check(
  rule('too_large', 'The file is larger than 256 KiB; move long scripts into files of their own', (text) =>
    isAtMost(text, MOST_BYTES),
  ),
  rule('invalid_text', 'The file must be plain text in UTF-8', (text) => text.isWellFormed() && !text.includes('\0')),
)

function isAtMost(text: string, bytes: number): boolean {
  return text.length <= bytes && new TextEncoder().encode(text).length <= bytes
}
