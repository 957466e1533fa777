// An edge on a port of its own, in front of a platform that answers everything with one word.
import { createEmbeddedEdge, type EmbeddedEdge } from '../src/edge/embedded-edge.ts'
import type { BasicAuth, Route } from '../src/edge/route.ts'
import { createFrontServer } from '../src/http/front-server.ts'
import { type Loopback, listenOn } from './loopback.ts'

export type EmbeddedTestEdge = EmbeddedEdge & Pick<Loopback, 'port'>

export async function openEmbeddedEdge({ graceMs = 0 } = {}): Promise<EmbeddedTestEdge> {
  const faults: unknown[] = []
  const isOwnHost = (host: string): boolean => host.startsWith('ship.example.com')
  const edge = createEmbeddedEdge({ isOwnHost, graceMs, onFault: (error) => faults.push(error) })
  const front = await listenOn(createFrontServer(edge, (_req, res) => res.end('platform'), {}))
  return {
    ...edge,
    port: front.port,
    close: async () => {
      await edge.close()
      await front.close()
      // None of what applications and clients send may come as a surprise.
      if (faults.length > 0) throw new AggregateError(faults, 'The edge broke off requests')
    },
  }
}

export const routeTo = (port: number, domain = 'app.test', basicAuth: BasicAuth | null = null): Route => ({
  domain,
  port,
  environmentId: 1,
  basicAuth,
})
