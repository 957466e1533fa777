// The edge of a server, of either kind.
import type { ServerAddress } from '../domain/server-address.ts'
import type { VisitorAnswer } from './visitor-answer.ts'

type ServerWithEdge = ServerAddress & { readonly edge: 'haproxy' | 'embedded' }

export type Edges = {
  /**
   * Resolves when the next request is routed by the current records; rejects if that cannot be reached. Returns the addresses of managers that
   * were left out, because they could not be reached: they route by older records.
   */
  apply(server: ServerWithEdge): Promise<readonly string[]>
  /**
   * Makes the edges of a server of several machines balance over the tasks that are ready now. Rejects if one of the joining groups (ports)
   * has no upstream, or one that does not answer an edge. Does nothing for other servers. Returns the managers that were left out, as `apply`.
   */
  balance(server: ServerWithEdge, joining?: readonly number[]): Promise<readonly string[]>
  /** Brings the managers up to date that were left out and can be reached again. Returns those that cannot. */
  retryLeftOut(server: ServerWithEdge): Promise<readonly string[]>
  /** Number of running requests and open WebSockets to these ports. */
  countStreams(server: ServerWithEdge, ports: readonly number[]): Promise<number>
  /** The response that a visitor of this domain gets; undefined if there is none within two seconds. */
  visit(server: ServerWithEdge, route: VisitedRoute): Promise<VisitorAnswer | undefined>
}

type VisitedRoute = { readonly domain: string; readonly port: number }
