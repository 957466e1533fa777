// What the edges of a server of several machines lead to. A route's port names a group there; nothing listens on it.

/** The tasks that serve one slot of a service. */
export type BalanceGroup = {
  readonly port: number
  readonly upstreams: readonly Upstream[]
}

export type Upstream = {
  /** Unique among all upstreams; never given to another task. */
  readonly name: string
  /** Of the node that the task runs on. */
  readonly address: string
  readonly port: number
}

/** As the runtime lists them. */
export type ListedGroup = {
  readonly port: number
  readonly upstreams: readonly ListedUpstream[]
}

/** A port of null is known to the edges alone: the runtime has forgotten it. */
type ListedUpstream = Omit<Upstream, 'port'> & { readonly port: number | null }
