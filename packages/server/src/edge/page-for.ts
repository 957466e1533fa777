// Chooses the page for a missing response: one with the reason, if Node's parser reports it.
import { type EdgePage, noAnswer, unreadableAnswer } from './page.ts'

export function pageFor(error: Error | undefined): EdgePage {
  const code = error !== undefined && 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (!code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE') return noAnswer
  return unreadableAnswer(REASONS[code] ?? 'its parser gives up on the answer')
}

/** Other proxies pass some of these on, and then two readers can disagree on where a response ends. */
const REASONS: Readonly<Record<string, string>> = {
  HPE_CR_EXPECTED: 'a line of its headers ends with LF alone. Each must end with CR LF',
  HPE_LF_EXPECTED: 'a line of its headers ends with CR alone. Each must end with CR LF',
  HPE_INVALID_CONSTANT:
    'the answer does not begin with HTTP/1.1. It may speak another protocol, such as HTTPS, on this port',
  HPE_INVALID_HEADER_TOKEN: 'a header has a name or a value with characters that may not stand there',
  HPE_HEADER_OVERFLOW: 'its headers have more than 16 KiB',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'it says twice how long the answer is',
  HPE_INVALID_CONTENT_LENGTH: 'the length that it gives is no number',
  HPE_INVALID_TRANSFER_ENCODING: 'it says in two ways how long the answer is',
  HPE_INVALID_CHUNK_SIZE: 'a piece of the answer has a length that is no number',
}
