// Tells the answer "there is no such thing" from every other failure.
import { isApiError } from '../http/api-failure.ts'

/** For `.catch`: undefined where the platform knows no such thing. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (isApiError(error) && error.status === 404) return undefined
  throw error
}
