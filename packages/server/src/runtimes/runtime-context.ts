// What a runtime asks the platform's records and edges, on behalf of one task. A runtime never sees the database.

export type RuntimeContext = {
  /** Reserves these ports of the server for the environment: all of them, or none. Returns the owners of the ports that are taken. */
  claimPorts(ports: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** One port for each service and slot. Replaces a port that a foreign process uses. */
  allocateSlots(services: readonly string[], request: SlotRequest): Promise<readonly SlotPort[]>
  /** Counts the requests and WebSockets that are open to these ports of the server. */
  countStreams(ports: readonly number[]): Promise<number>
  /** Runs work after the task has ended. Its sentences are logged; the platform's clean-up repeats what failed. */
  afterwards(work: () => Promise<readonly string[]>): void
}

/** Ports of the server that are in use, and those of them that other programs than this environment's use. */
export type SeenPorts = { readonly inUse: ReadonlySet<number>; readonly foreign: ReadonlySet<number> }

type SlotRequest = SeenPorts & { readonly slots: readonly SlotPort['slot'][] }

export type SlotPort = {
  readonly service: string
  readonly slot: 'a' | 'b'
  readonly port: number
  /** The port that it had, where that was replaced. */
  readonly insteadOf?: number
}

export const replacedSentence = ({ service, port, insteadOf }: SlotPort): string =>
  `Port ${insteadOf} of the server is used by something else: ${service} has port ${port} from now on`
