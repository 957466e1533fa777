// The edge of a server, whichever kind it has.
import type { ServerAddress } from '../domain/server-address.ts'
import type { VisitorAnswer } from './visitor-answer.ts'

type ServerWithEdge = ServerAddress & { readonly edge: 'haproxy' | 'embedded' }

export type Edges = {
  /** Resolves when the next request sees what the records say; rejects where none will. */
  apply(server: ServerWithEdge): Promise<void>
  /** Requests in flight and WebSockets that lead to these ports. */
  countStreams(server: ServerWithEdge, ports: readonly number[]): Promise<number>
  /** What a visitor of this domain gets; undefined where nothing answers within two seconds. */
  visit(server: ServerWithEdge, route: VisitedRoute): Promise<VisitorAnswer | undefined>
}

type VisitedRoute = { readonly domain: string; readonly port: number }
