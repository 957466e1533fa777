// The command-line client that fits this platform, as `npm run build:client` has made it: for everybody, before they are signed in.
// `SHA256SUMS` has the checksums that `shipway upgrade` and `sha256sum --check` compare.
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { constantBytes } from '../connections/constant-bytes.ts'

/** For `npm i -g`, and as one file. */
const FILES = { 'shipway.tgz': 'application/gzip', 'shipway.mjs': 'text/javascript; charset=utf-8' } as const

const BUILT = new URL('../../../../cli/dist/', import.meta.url)

export function registerClientFiles(app: FastifyInstance, folder = BUILT): void {
  const read = readOnce()
  for (const [name, type] of Object.entries(FILES)) {
    app.get(`/client/${name}`, async (_request, reply) => {
      return reply.type(type).send((await read(new URL(name, folder)).catch(NotBuilt)).bytes)
    })
  }
  app.get('/client/SHA256SUMS', async (_request, reply) => {
    const lines = Object.keys(FILES).map(async (name) => {
      const { sha256 } = await read(new URL(name, folder)).catch(NotBuilt)
      return `${sha256}  ${name}\n`
    })
    return reply.type('text/plain; charset=utf-8').send((await Promise.all(lines)).join(''))
  })
}

type ClientFile = { readonly bytes: Buffer; readonly sha256: string }

/** One copy in memory for all who download a file, until it is built anew. */
function readOnce(): (file: URL) => Promise<ClientFile> {
  const read = new Map<string, ClientFile & { readonly stamp: string }>()
  return async (file) => {
    const { mtimeMs, size } = await stat(file)
    const stamp = `${mtimeMs} ${size}`
    const known = read.get(file.href)
    if (known?.stamp === stamp) return known
    const bytes = constantBytes(await readFile(file))
    const fresh = { stamp, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
    read.set(file.href, fresh)
    return fresh
  }
}

function NotBuilt(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error
  throw new AppError('not_found', 'The client was not built here. Start the platform with npm start, which builds it', {
    cause: error,
  })
}
