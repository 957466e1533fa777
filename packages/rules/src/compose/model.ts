// The model of a compose file as Compose resolves it, and the results of the rules.
import type { Capability } from './policy/capabilities.ts'

/** Values may contain secrets, since Compose substitutes variables: names of this model may be shown, values never. */
export type ComposeModel = {
  readonly name: string
  readonly services: ReadonlyMap<string, ComposeService>
  readonly networks: ReadonlyMap<string, JsonObject>
  readonly volumes: ReadonlyMap<string, JsonObject>
  readonly secrets: ReadonlyMap<string, JsonObject>
  readonly configs: ReadonlyMap<string, JsonObject>
  /** Other top-level keys. */
  readonly others: JsonObject
}

export type JsonObject = { readonly [key: string]: unknown }

export type ComposeService = {
  readonly name: string
  /** The service's whole definition in the model. */
  readonly definition: JsonObject
  readonly image: string | null
  readonly build: JsonObject | null
  readonly containerName: string | null
  readonly networkMode: string | null
  readonly restart: string | null
  readonly replicas: number
  readonly hasHealthcheck: boolean
  readonly ports: readonly {
    readonly target: number
    readonly published: string | null
    readonly protocol: string
  }[]
  /** Ports inside the container that the file names, published or not: TCP, which alone can be routed. */
  readonly exposed: readonly number[]
  readonly mounts: readonly Mount[]
  readonly dependsOn: ReadonlyMap<string, Dependency>
  /** Of the container, by the file; the platform's own limits come in the override. */
  readonly limits: ComposeLimits
}

type Mount = {
  readonly type: string
  readonly source: string | null
  readonly target: string | null
  readonly isReadOnly: boolean
}

type Dependency = {
  readonly condition: 'service_started' | 'service_healthy' | 'service_completed_successfully'
  readonly isRequired: boolean
}

/** Of one container, or of all builds of an environment together; null is no limit. */
export type ComposeLimits = {
  readonly cpus: number | null
  readonly memoryBytes: number | null
  readonly processes: number | null
}

/** Why a compose file is refused. A null capability cannot be granted. */
export type Refusal = { readonly key: string; readonly sentence: string; readonly capability: Capability | null }

/** How a service is replaced. */
export type DeployMode = 'unchanged' | 'beside' | 'in_place' | 'one_shot'

export type Slot = 'a' | 'b'

export type ServicePlan = {
  readonly name: string
  /** Services of one level depend only on services of lower ones; the first is 0. */
  readonly level: number
  readonly mode: DeployMode
  /** Null unless the mode is `in_place`. */
  readonly whyInPlace: string | null
  /** Why it restarts although it did not change, as the words after "restarts"; else null. */
  readonly restartReason: string | null
  readonly canRunTwice: boolean
  readonly isRouted: boolean
  /** Inside the container; null where the service is not routed. */
  readonly port: number | null
  readonly health: string | null
  /** The slot that it has after this deployment; null where it is not routed. */
  readonly slot: Slot | null
  readonly dependsOn: ReadonlyMap<string, Dependency>
  readonly hasHealthcheck: boolean
  readonly isBuilt: boolean
  /** The image's name by the file; null where the file names none. */
  readonly image: string | null
  readonly hash: string
}

export type Plan = {
  /** In the order in which they are started. */
  readonly services: readonly ServicePlan[]
  /** Routed services that the compose file does not have. */
  readonly unknownServices: readonly string[]
}
