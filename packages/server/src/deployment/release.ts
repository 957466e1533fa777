// A release on its server: its folders, and the model of its compose files that was checked.
import type { ComposeModel } from '@shipway/rules/compose/model'
import type { Checkout } from '@shipway/rules/compose/mounts/checkout-path'
import type { Host } from '../remote/host.ts'
import type { CheckedModel } from './checked-model.ts'
import type { Folders } from './folders.ts'

export type Release = {
  readonly folders: Folders
  /** Paths in its compose files are checked against it. */
  readonly checkout: Checkout
  /** Reads the checked model. Later steps have no other way to the compose files. */
  readonly readModel: (host: Host) => Promise<ComposeModel>
}

type Checked = {
  readonly folders: Folders
  /** The symbolic links of the checkout. */
  readonly links: readonly string[]
  readonly model: CheckedModel
  readonly digest: string
}

export const releaseOf = ({ folders, links, model, digest }: Checked): Release => ({
  folders,
  checkout: { folder: folders.release, links: new Set(links) },
  readModel: (host) => model.read(host, digest),
})

/** The numbers of durable steps, by which a run that takes over finds them. Steps that start services come last. */
export const DURABLE = { build: 1, pull: 2, firstStart: 3 } as const
