// Who downloads artifacts: not too many at once for one user, and none when the server closes.
import type { FastifyInstance } from 'fastify'
import { TooManyDownloads } from '../../domain/errors.ts'
import { OpenStreams } from '../open-streams.ts'

export function registerDownloads(app: FastifyInstance): void {
  const downloads = new OpenStreams({ mostPerUser: 6, refusal: TooManyDownloads })
  app.decorate('downloads', downloads)
  app.addHook('preClose', async () => downloads.end())
}

declare module 'fastify' {
  interface FastifyInstance {
    downloads: OpenStreams
  }
}
