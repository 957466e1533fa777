// Parses a message of a client that has a terminal.
import { TerminalRequest } from '@shipway/api/terminal'
import { parseBoundedJson } from '@shipway/rules/bounded-json'

/** As many words as a command may have. */
const LIMITS = { values: 10_000, depth: 4 } as const

/** What is wrong with it, if it is none. */
export function readTerminalRequest(text: string): TerminalRequest | { readonly fault: string } {
  const request = TerminalRequest.safeParse(parsed(text))
  if (request.success) return request.data
  const [issue] = request.error.issues
  return { fault: `${issue?.path.join('.') || 'The message'}: ${issue?.message ?? 'not understood'}` }
}

function parsed(text: string): unknown {
  try {
    return parseBoundedJson(text, LIMITS)
  } catch {
    return undefined
  }
}
