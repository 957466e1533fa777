// The few plain pages that the edge answers itself, in the place of an application.
import { type ServerResponse, STATUS_CODES } from 'node:http'

export type EdgePage = {
  readonly status: number
  readonly title: string
  readonly sentence: string
  readonly headers?: Readonly<Record<string, string>>
}

export function sendPage(res: ServerResponse, page: EdgePage): void {
  const html = htmlOf(page)
  // Said outright: what an application's answer has left behind on the response is not used.
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
  sentence: 'No environment on this server answers to this name. Check the spelling of the address.',
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

const characters: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => characters[character] ?? '')
