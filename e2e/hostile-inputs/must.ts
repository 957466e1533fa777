// The checks of hostile inputs: what was got in place of what must hold becomes the reason in the report.
import { inspect } from 'node:util'

export function must(holds: boolean, got: unknown): void {
  if (!holds) throw new Error(`got ${show(got)}`)
}

const MOST_CHARACTERS = 300

/** On one line, without what steers a terminal. */
export function show(value: unknown): string {
  const options = { breakLength: Number.POSITIVE_INFINITY, compact: true, depth: 6, maxStringLength: MOST_CHARACTERS }
  const text = typeof value === 'function' ? String(value) : inspect(value, options)
  const safe = text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
  return safe.length > MOST_CHARACTERS ? `${safe.slice(0, MOST_CHARACTERS)}…` : safe
}
