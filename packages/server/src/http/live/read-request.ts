// Parses a message of a reader.
import { type LiveMessage, LiveRequest } from '@shipway/api/live'
import { parseBoundedJson } from '@shipway/rules/bounded-json'

type Fault = Omit<Extract<LiveMessage, { type: 'error' }>, 'type'>
export type ReadRequest =
  | { readonly request: LiveRequest; readonly fault?: undefined }
  | { readonly fault: Fault; readonly request?: undefined }

/** Enough for fifty services in the options of service logs. */
const LIMITS = { values: 80, depth: 8 } as const

export function readRequest(text: string): ReadRequest {
  const value = parsed(text)
  if (value === undefined) {
    return { fault: { id: null, code: 'malformed_json', detail: 'Send a small object as JSON' } }
  }
  const request = LiveRequest.safeParse(value)
  if (request.success) return { request: request.data }
  const [issue] = request.error.issues
  const id = idOf(value)
  if (issue?.path[0] === 'topic') return { fault: { id, ...NO_SUCH_TOPIC } }
  const detail = `${issue?.path.join('.') || 'The message'}: ${issue?.message ?? 'not understood'}`
  return { fault: { id, code: 'validation_failed', detail } }
}

/** The same answer for a topic that does not exist and for one that the reader may not see. */
export const NO_SUCH_TOPIC = { code: 'not_found', detail: 'There is no such topic, or it is not yours to see' } as const

function parsed(text: string): unknown {
  try {
    return parseBoundedJson(text, LIMITS)
  } catch {
    return undefined
  }
}

function idOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  return typeof value.id === 'string' && value.id.length <= 100 ? value.id : null
}
