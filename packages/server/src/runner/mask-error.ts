// An error as the log may have it: the words of a program are in it, and a program may say what it was handed.
import type { Mask } from '../secrets/mask.ts'

export function maskError(error: unknown, mask: Mask): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? mask.text(error) : error
  const cause = error.cause === undefined ? undefined : { cause: maskError(error.cause, mask) }
  const masked = new Error(mask.text(error.message), cause)
  masked.name = error.name
  masked.stack = mask.text(error.stack ?? '')
  return masked
}
