// The command-line client that fits this platform, as `npm run build:client` has made it: for everybody, before they are signed in.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'

/** For `npm i -g`, and as one file. */
const FILES = { 'shipway.tgz': 'application/gzip', 'shipway.mjs': 'text/javascript; charset=utf-8' } as const

const BUILT = new URL('../../../../cli/dist/', import.meta.url)

export function registerClientFiles(app: FastifyInstance, folder = BUILT): void {
  for (const [name, type] of Object.entries(FILES)) {
    app.get(`/client/${name}`, async (_request, reply) => {
      const bytes = await readFile(new URL(name, folder)).catch(NotBuilt)
      return reply.type(type).send(bytes)
    })
  }
}

function NotBuilt(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error
  throw new AppError('not_found', 'The client was not built here. Start the platform with npm start, which builds it', {
    cause: error,
  })
}
