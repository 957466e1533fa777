// The dashboard as `npm run build:dashboard` has made it: read once, so that nothing in a request can name another file.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { constantBytes } from '../connections/constant-bytes.ts'
import { accepts, ENCODINGS } from './encodings.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

type BuiltFile = { readonly type: string; readonly plain: Buffer; readonly encoded: Readonly<Record<string, Buffer>> }

/** Everything comes from here and nothing from elsewhere; no script and no style stands within the page. */
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

/** The page that posts a manifest to GitHub, wherever that is: a form may leave it, and nothing else. */
const FORM_POLICY = POLICY.replace("form-action 'none'", 'form-action https: http:')
const FORM_PATHS = ['/connections/:id/github-app']

export type Dashboard = { readonly sendPage: (request: FastifyRequest, reply: FastifyReply) => FastifyReply }

/** Its pages are one file; which of them is shown, the browser decides by the address. */
export function registerDashboard(app: FastifyInstance, paths: readonly string[], folder: string): Dashboard {
  const files = readFiles(folder)
  const sendWith =
    (policy: string): Dashboard['sendPage'] =>
    (request, reply) => {
      const page = files.get('index.html')
      if (page === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
      // With `no-referrer` browsers may hide the origin of what the page sends, also from us.
      return send(page, request, reply.headers({ 'content-security-policy': policy, 'referrer-policy': 'same-origin' }))
    }
  const sendPage = sendWith(POLICY)
  const sendForm = sendWith(FORM_POLICY)
  for (const path of paths) app.get(path, async (request, reply) => sendPage(request, reply))
  for (const path of FORM_PATHS) app.get(path, async (request, reply) => sendForm(request, reply))
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const file = files.get(`assets/${request.params.name}`)
    if (file === undefined) throw new AppError('not_found', 'There is no such file in this release')
    // The name of a file changes with its content.
    return send(file, request, reply.header('cache-control', 'public, max-age=31536000, immutable'))
  })
  return { sendPage }
}

function send({ type, plain, encoded }: BuiltFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = Object.keys(encoded).find((name) => accepts(request, name))
  reply.type(type).header('vary', 'accept-encoding')
  if (encoding === undefined) return reply.send(plain)
  return reply.header('content-encoding', encoding).send(encoded[encoding])
}

function readFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const built = names.filter((name) => Object.hasOwn(TYPES, extname(name)))
  return new Map(built.map((name) => [name, readBuilt(join(folder, name))]))
}

function readBuilt(file: string): BuiltFile {
  const encoded = Object.fromEntries(
    ENCODINGS.map(([name, ending]) => [name, constantBytes(readFileSync(`${file}${ending}`))]),
  )
  return { type: TYPES[extname(file)] ?? 'application/octet-stream', plain: constantBytes(readFileSync(file)), encoded }
}

const NOT_BUILT =
  'The dashboard was not built here. Start the platform with npm start, which builds it, or run npm run build:dashboard and ' +
  'start the platform again.\n'
