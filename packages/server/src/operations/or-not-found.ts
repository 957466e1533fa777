// What cannot be seen cannot be acted on.
import { NotFound } from '../domain/errors.ts'

export function orNotFound<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw NotFound(what)
  return found
}
