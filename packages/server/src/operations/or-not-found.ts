// Records that the caller cannot see count as missing.
import { NotFound } from '../domain/errors.ts'

export function orNotFound<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw NotFound(what)
  return found
}
