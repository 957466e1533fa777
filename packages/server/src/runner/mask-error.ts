// Masks secrets in an error before it is logged: it may quote a program, which may print its variables.
import type { Mask } from '../secrets/mask.ts'

export function maskError(error: unknown, mask: Mask): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? mask.text(error) : error
  const cause = error.cause === undefined ? undefined : { cause: maskError(error.cause, mask) }
  const masked = new Error(mask.text(error.message), cause)
  masked.name = error.name
  masked.stack = mask.text(error.stack ?? '')
  return masked
}
