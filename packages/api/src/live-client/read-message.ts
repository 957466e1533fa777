// A message of the platform, out of the text that came.
import { LiveMessage } from '../live.ts'

/** Undefined for what this release does not understand. */
export function readMessage(text: string): LiveMessage | undefined {
  const value = parsed(text)
  // A snapshot that this release does not understand must not cost the subscription: the reader fetches the record instead.
  return LiveMessage.safeParse(value).data ?? LiveMessage.safeParse({ ...value, snapshot: undefined }).data
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
