// Notices that the platform was updated since this page was loaded: its answers name another version than the first one did.
import { observable } from './observable.ts'

/** Whether the page should be loaded again. */
export const isOutdated = observable(false)

let loaded: string | undefined

export function noteVersion(version: string | null): void {
  // What a proxy answers names no version.
  if (version === null) return
  loaded ??= version
  if (version !== loaded) isOutdated.set(true)
}

export const fetchNotingVersion: typeof fetch = async (...request) => {
  const answer = await fetch(...request)
  noteVersion(answer.headers.get('x-service-version'))
  return answer
}
