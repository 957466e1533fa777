// What `compose config` prints, and what it depends on.
import type { JsonObject } from '@shipway/rules/compose/model'
import type { ComposeProject } from '../commands/docker/compose.ts'
import type { Folders } from '../deployment/folders.ts'
import type { Secret } from '../secrets/secret.ts'

export type PrintedConfig = {
  readonly model: string
  /** Resolved without the variables that no build may get; null where there are none. */
  readonly forBuilds: string | null
}

/** By all inputs of Compose. Both sides hold values of variables. */
export type ComposeConfigCache = {
  find(inputs: Secret): Secret | undefined
  keep(printed: Secret, inputs: Secret): void
}

export type ComposeInputs = {
  /** The files of the release that Compose reads; undefined where they are not known. */
  readonly reads: readonly string[] | undefined
  /** The document that the platform wrote in place of compose files. */
  readonly document: JsonObject | null
  readonly folders: Folders
  readonly project: ComposeProject
  /** The contents of the override files and of the variables file, by their paths. */
  readonly contents: ReadonlyMap<string, Secret>
}

export type ComposeCalls<Model> = {
  /** Runs `compose config`. */
  readonly ask: () => Promise<PrintedConfig>
  /** Throws on what is no model, so that it is not cached. */
  readonly read: (printed: PrintedConfig) => Model
}
