// What Node's writer takes. Its parser lets more pass, and what the writer refuses it throws where nobody catches it.
import { type IncomingMessage, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'

/** `headers`: name and value in turns. */
export function canBeWritten(status: number, headers: readonly string[]): boolean {
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

/** The words after the status, which no program reads: words that cannot be written are replaced by the usual ones. */
export function reasonOf({ statusCode = 0, statusMessage = '' }: IncomingMessage): string {
  return writable.test(statusMessage) ? statusMessage : (STATUS_CODES[statusCode] ?? '')
}

const writable = /^[\t\x20-\x7e\x80-\xff]*$/
