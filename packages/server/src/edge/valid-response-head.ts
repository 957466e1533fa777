// Checks what Node's HTTP writer accepts. Its parser accepts more, and the writer throws where no caller can catch it.
import { type IncomingMessage, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'

/** `headers`: names and values alternate. */
export function isValidResponseHead(status: number, headers: readonly string[]): boolean {
  if (status < 100 || status > 999) return false
  try {
    for (let index = 0; index + 1 < headers.length; index += 2) {
      validateHeaderName(headers[index] ?? '')
      validateHeaderValue(headers[index] ?? '', headers[index + 1] ?? '')
    }
    return true
  } catch {
    return false
  }
}

/** The reason phrase, which no program reads: one that cannot be written is replaced by the standard one. */
export function reasonOf({ statusCode = 0, statusMessage = '' }: IncomingMessage): string {
  return writable.test(statusMessage) ? statusMessage : (STATUS_CODES[statusCode] ?? '')
}

const writable = /^[\t\x20-\x7e\x80-\xff]*$/
