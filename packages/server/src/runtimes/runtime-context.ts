// What a runtime asks the platform's records and edges, on behalf of one task. A runtime never sees the database.
import type { Registry } from '../deployment/registry.ts'

export type RuntimeContext = {
  /** Keeps the images of the environment where several machines run them; null where one does. */
  readonly registry: Registry | null
  /** Reserves these ports of the server for the environment: all of them, or none. Returns the owners of the ports that are taken. */
  claimPorts(ports: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** One port for each service and slot. Replaces a port that a foreign process uses. */
  allocateSlots(services: readonly string[], request: SlotRequest): Promise<readonly SlotPort[]>
  /** Counts the requests and WebSockets that are open to these ports of the server. */
  countStreams(ports: readonly number[]): Promise<number>
  /**
   * Makes the edges of the server balance over the tasks that are ready now. Rejects if one of the joining groups (ports) has no upstream, or
   * one that does not answer an edge. Does nothing where `listUpstreams` is null. Returns the addresses of managers that were left out, because
   * they could not be reached.
   */
  balance(joining?: readonly number[]): Promise<readonly string[]>
  /** Brings the edges of managers up to date that were left out and can be reached again. Returns those that cannot. */
  retryLeftOut(): Promise<readonly string[]>
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
