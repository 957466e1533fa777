// Makes samples from what a server reports now and what it reported before. Pure: counters become rates here.
import { type RateOf, rateOver, sumAll, sumKnown } from '../../../domain/metrics/rates.ts'
import type { ServerStats, ServiceUsage, Usage } from '../../../runtimes/server-stats.ts'
import type { ServerSample } from '../../../store/metrics/server-samples.ts'
import type { ServiceSample } from '../../../store/metrics/service-samples.ts'

export type MeasuredEnvironment = {
  readonly id: number
  readonly runsContainers: boolean
  readonly services: readonly { readonly name: string; readonly port: number | undefined; readonly restarts: number }[]
}

type Readings = { readonly now: ServerStats; readonly before: ServerStats | undefined }

const elapsed = ({ now, before }: Readings): RateOf =>
  rateOver(before === undefined ? 0 : now.machine.uptimeSeconds - before.machine.uptimeSeconds)

export function makeServerSample(readings: Readings): ServerSample {
  const { machine, killsUntil } = readings.now
  const cores = elapsed(readings)(machine.cpuSeconds, readings.before?.machine.cpuSeconds)
  return {
    // Rounding of the kernel must not show more than there is.
    cpu: cores === null || machine.cores === null ? cores : Math.min(cores, machine.cores),
    cores: machine.cores,
    memoryBytes: machine.memoryBytes,
    memoryTotalBytes: machine.memoryTotalBytes,
    load: machine.load,
    diskBytes: machine.disk && machine.disk.totalBytes - machine.disk.freeBytes,
    diskTotalBytes: machine.disk?.totalBytes ?? null,
    countedUntil: killsUntil,
  }
}

/** A hostile server could report any number. */
const MOST_SERVICES = 50
/** A number that the database cannot keep would cost other environments their samples, too. */
const MOST_BYTES = 2 ** 50
const MOST_CORES = 2 ** 40

const atMost = (most: number, value: number | null): number | null => (value === null ? null : Math.min(value, most))

/** `restarts` are those since the last samples. */
export function makeServiceSamples(readings: Readings, environment: MeasuredEnvironment): readonly ServiceSample[] {
  const { id, runsContainers, services } = environment
  if (!runsContainers) return services.slice(0, MOST_SERVICES).map((service) => ofPort(readings, id, service))
  const own = readings.now.services?.filter(({ environmentId }) => environmentId === id)
  if (own === undefined) return []
  const before = new Map(readings.before?.services?.map((usage) => [usage.key, usage]))
  const names = new Set([...services.map(({ name }) => name), ...own.map(({ service }) => service)])
  return [...names].slice(0, MOST_SERVICES).map((name) => {
    const running = own.filter(({ service }) => service === name)
    const rates = (read: (usage: Usage) => number | null) =>
      sumKnown(running.map((usage) => rateOf(usage, before.get(usage.key), read)))
    return {
      environmentId: id,
      service: name,
      cpu: atMost(
        MOST_CORES,
        rates(({ cpuSeconds }) => cpuSeconds),
      ),
      memoryBytes: atMost(MOST_BYTES, sumKnown(running.map(({ memoryBytes }) => memoryBytes))),
      memoryLimitBytes: atMost(MOST_BYTES, sumAll(running.map(({ memoryLimitBytes }) => memoryLimitBytes))),
      networkIn: atMost(
        MOST_BYTES,
        rates(({ networkInBytes }) => networkInBytes),
      ),
      networkOut: atMost(
        MOST_BYTES,
        rates(({ networkOutBytes }) => networkOutBytes),
      ),
      restarts: services.find((service) => service.name === name)?.restarts ?? 0,
      oomKills: killsOf(readings, { environmentId: id, service: name, running, before }),
    }
  })
}

/** By the clock of the machine that it runs on. */
function rateOf(now: ServiceUsage, before: ServiceUsage | undefined, read: (usage: Usage) => number | null) {
  return before === undefined ? null : rateOver(now.uptimeSeconds - before.uptimeSeconds)(read(now), read(before))
}

type Service = MeasuredEnvironment['services'][number]

function ofPort(readings: Readings, environmentId: number, { name, port, restarts }: Service): ServiceSample {
  const usage = port === undefined ? undefined : readings.now.ports.get(port)
  const before = port === undefined ? undefined : readings.before?.ports.get(port)
  return {
    environmentId,
    service: name,
    cpu: elapsed(readings)(usage?.cpuSeconds ?? null, before?.cpuSeconds),
    memoryBytes: usage?.memoryBytes ?? null,
    memoryLimitBytes: null,
    networkIn: null,
    networkOut: null,
    restarts,
    oomKills: 0,
  }
}

type Killed = {
  readonly environmentId: number
  readonly service: string
  readonly running: readonly ServiceUsage[]
  readonly before: ReadonlyMap<string, ServiceUsage>
}

/**
 * The engine reports each kill, but remembers few events; the counter of a container has them all, but ends with the container. So the
 * higher of both counts.
 */
function killsOf({ now }: Readings, { environmentId, service, running, before }: Killed): number {
  const isOwn = (kill: { environmentId: number; service: string }): boolean =>
    kill.environmentId === environmentId && kill.service === service
  const reported = now.kills.find(isOwn)?.times ?? 0
  const counted = running.map(({ key, oomKills }) =>
    Math.max(0, (oomKills ?? 0) - (before.get(key)?.oomKills ?? Infinity)),
  )
  return Math.max(reported, ...counted)
}
