// The pages that the edge shows in place of an application.
import { type ServerResponse, STATUS_CODES } from 'node:http'
import { escapeHtml } from '@shipway/api/reference/html'

export type EdgePage = {
  readonly status: number
  readonly title: string
  readonly sentence: string
  readonly headers?: Readonly<Record<string, string>>
}

export function sendPage(res: ServerResponse, page: EdgePage): void {
  const html = htmlOf(page)
  // Sets the reason phrase explicitly: the response may still have the application's.
  res.writeHead(page.status, STATUS_CODES[page.status] ?? '', {
    ...headersOf(page),
    'Content-Length': Buffer.byteLength(html),
  })
  res.end(html)
}

export function htmlOf({ title, sentence }: EdgePage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<meta name="color-scheme" content="light dark">
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem }</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(sentence)}</p>
</html>
`
}

export function headersOf({ headers = {} }: EdgePage): Readonly<Record<string, string>> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...headers,
  }
}

export const unknownHost: EdgePage = {
  status: 404,
  title: 'There is nothing at this address',
  sentence:
    'What was here may have been removed, or the address may be misspelt. Ask the person who gave you the link.',
}

/** For an operator who opens the platform under a name that it does not know yet. */
export const unknownPlatform: EdgePage = {
  ...unknownHost,
  sentence:
    'No environment answers to this name. If the platform itself should: set SHIPWAY_BASE_URL to the address that people use, and start it again.',
}

export const nothingDeployed = (domain: string): EdgePage => ({
  status: 503,
  title: 'Nothing is deployed here yet',
  sentence: `${domain} answers as soon as its environment has a successful deployment.`,
  headers: { 'Retry-After': '10' },
})

export const signInNeeded = (domain: string): EdgePage => ({
  status: 401,
  title: 'Sign in',
  sentence: `${domain} asks for a user name and a password.`,
  headers: { 'WWW-Authenticate': `Basic realm="${domain}", charset="UTF-8"` },
})

export const leadsToItself = (domain: string): EdgePage => ({
  status: 508,
  title: 'This address leads back to itself',
  sentence: `${domain} leads to the port of the platform. Deploy its environment again with another port.`,
})

export const noAnswer: EdgePage = {
  status: 502,
  title: 'The application does not answer',
  sentence: 'It is deployed, but gave no usable answer on its port. Its output says more.',
}

/** The response is not valid HTTP: passed on, it could be read in more than one way. */
const unreadableAnswer = (why: string): EdgePage => ({
  status: 502,
  title: 'The answer of the application cannot be read',
  sentence: `It is deployed and answers, but not in HTTP as it is written: ${why}.`,
})

export const notUnderstood: EdgePage = {
  status: 400,
  title: 'The request is not understood',
  sentence: 'Send one Host header, and the same name in it as in the address.',
}

export const codingNotUnderstood: EdgePage = {
  status: 501,
  title: 'The transfer coding is not understood',
  sentence: 'Send the body with a Content-Length, or with chunked as its only transfer coding.',
}

/** For a missing response: with the reason, if Node's parser reports it. */
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
