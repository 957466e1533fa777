// The edge of a server, of either kind.
import type { ServerAddress } from '../domain/server-address.ts'
import type { VisitorAnswer } from './visitor-answer.ts'

type ServerWithEdge = ServerAddress & { readonly edge: 'haproxy' | 'embedded' }

export type Edges = {
  /** Resolves when the next request is routed by the current records; rejects if that cannot be reached. */
  apply(server: ServerWithEdge): Promise<void>
  /** Number of running requests and open WebSockets to these ports. */
  countStreams(server: ServerWithEdge, ports: readonly number[]): Promise<number>
  /** The response that a visitor of this domain gets; undefined if there is none within two seconds. */
  visit(server: ServerWithEdge, route: VisitedRoute): Promise<VisitorAnswer | undefined>
}

type VisitedRoute = { readonly domain: string; readonly port: number }
