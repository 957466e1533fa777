// The documentation that fits this platform, as `packages/docs` has built it: for everybody, before they are signed in. Its files are listed
// once, so that nothing in a request can name another one, and read when they are asked for.
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { accepts, ENCODINGS } from './encodings.ts'

/** Anything else is a file of the repository, shown as text. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
}

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function registerDocs(app: FastifyInstance, folder: string): void {
  const names = listFiles(folder)
  for (const name of names) {
    if (COPIES.includes(extname(name)) || name === 'sources.txt') continue
    const encoded = ENCODINGS.filter(([, ending]) => names.has(`${name}${ending}`))
    const type = TYPES[extname(name)] ?? 'text/plain; charset=utf-8'
    app.get(addressOf(name), async (request, reply) => {
      const [encoding, ending] = encoded.find(([one]) => accepts(request, one)) ?? [undefined, '']
      reply.type(type).headers(HEADERS)
      if (encoding !== undefined) reply.header('content-encoding', encoding)
      return reply.send(await readFile(join(folder, `${name}${ending}`)))
    })
  }
}

const COPIES: readonly string[] = ENCODINGS.map(([, ending]) => ending)

/** A new release has other pages at the same addresses. */
const HEADERS = { 'content-security-policy': POLICY, 'cache-control': 'public, max-age=300', vary: 'accept-encoding' }

function listFiles(folder: string): ReadonlySet<string> {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
  return new Set(entries.filter((one) => one.isFile()).map((one) => relative(folder, join(one.parentPath, one.name))))
}

const addressOf = (name: string): string =>
  name === 'index.html' ? '/docs' : `/docs/${name.endsWith('.html') ? name.slice(0, -'.html'.length) : name}`
