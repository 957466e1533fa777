// What a runtime reports about the use of a server and its services: counters as they stand, from which the platform makes rates.

export type StatsRequest = {
  readonly installationId: string
  /** False where the server runs no containers: then its engine is not asked. */
  readonly hasContainers: boolean
  /** Ports of services that run without containers. */
  readonly ports: readonly number[]
  /** By the server's own clock; null where none have been counted yet. */
  readonly countKillsSince: number | null
}

export type ServerStats = {
  readonly machine: MachineUsage
  /** Undefined where the runtime was not asked, or did not answer. */
  readonly services: readonly ServiceUsage[] | undefined
  readonly ports: ReadonlyMap<number, Usage>
  /** By environment and service, since `countKillsSince`. */
  readonly kills: readonly KilledService[]
  /** Until when kills were counted, by the server's own clock. */
  readonly killsUntil: number | null
}

/** Null stands for what could not be read. */
export type MachineUsage = {
  /** Since the machine started: the time that its rates are made with. */
  readonly uptimeSeconds: number
  readonly cores: number | null
  /** Of all cores since the machine started. */
  readonly cpuSeconds: number | null
  readonly memoryBytes: number | null
  readonly memoryTotalBytes: number | null
  readonly load: number | null
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | null
}

export type Usage = {
  /** Since it started. */
  readonly cpuSeconds: number | null
  /** Without page cache. */
  readonly memoryBytes: number | null
  readonly memoryLimitBytes: number | null
  readonly networkInBytes: number | null
  readonly networkOutBytes: number | null
  readonly oomKills: number | null
}

/** One of several, where a service runs several times. `key` is another after each recreation. */
export type ServiceUsage = Usage & {
  readonly key: string
  readonly environmentId: number
  readonly service: string
  /** Of the machine that it runs on: the time that its rates are made with. 0 where it was not measured. */
  readonly uptimeSeconds: number
}

export type KilledService = { readonly environmentId: number; readonly service: string; readonly times: number }
