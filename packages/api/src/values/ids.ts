/** Identifiers and times, as they stand in bodies, in addresses and in answers. */
import { z } from 'zod'
import { rule } from './rule.ts'

export const Id = z.int({ error: 'An id is a whole number' }).min(1, { error: 'An id is a whole number from 1 on' })

/** How a record is named beside another one. */
export const Named = z.object({ id: Id, name: z.string() })

/** One spelling per id: no sign, no leading zero, nothing that a number would round. */
export const IdParam = z
  .string()
  .check(rule('invalid_id', 'An id is a whole number from 1 on', isIdText))
  .transform(Number)

export const Sha = z
  .string()
  .check(rule('invalid_sha', 'Give the full commit: 40 lower-case hexadecimal digits', isSha))
  .meta({ pattern: '^[0-9a-f]{40}$' })

/** RFC 3339 in UTC, written with `Z`; an offset is refused. */
export const Time = z.iso.datetime({ error: 'A time is written in UTC, such as 2026-01-31T12:00:00Z' })

function isIdText(text: string): boolean {
  return /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
}

function isSha(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}
