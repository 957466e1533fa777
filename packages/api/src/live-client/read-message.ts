// A message of the platform, out of the text that came.
import { LiveMessage } from '../live.ts'

type ReadMessage = { readonly message: LiveMessage | undefined; readonly text: string }

/** A frame holds one message, or several, each on a line of its own. */
export function* readMessages(frame: string): Generator<ReadMessage, void, undefined> {
  for (const text of frame.split('\n')) yield { message: readMessage(text), text }
}

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
