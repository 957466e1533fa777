// Reloads the page after a change of session, so that nothing of the previous user stays in memory.
import { cache } from './cache.ts'

export function startSession(path: string): void {
  cache.clear()
  location.assign(path)
}
