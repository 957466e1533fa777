// Turns "not found" into undefined; rethrows every other failure.
import { isApiError } from '../http/api-failure.ts'

/** For `.catch`. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (isApiError(error) && error.status === 404) return undefined
  throw error
}
