// A release on its server: where it lies, and what was judged of its compose files.
import type { ComposeModel } from '@shipway/rules/compose/model'
import type { Checkout } from '@shipway/rules/compose/mounts/checkout-path'
import type { Host } from '../remote/host.ts'
import type { Folders } from './folders.ts'

export type Release = {
  readonly folders: Folders
  /** What the paths in its compose files are held against. */
  readonly checkout: Checkout
  /** The way to what was judged: no later step has any other. */
  readonly readModel: (host: Host) => Promise<ComposeModel>
}

/** The numbers of durable steps, by which a run that takes over finds them. Those that start services come last, one after the other. */
export const DURABLE = { build: 1, pull: 2, firstStart: 3 } as const
