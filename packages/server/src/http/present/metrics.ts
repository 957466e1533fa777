// Samples as JSON: one list per figure, with an entry for each slot of the range.
import type { EnvironmentMetrics, ServerMetrics } from '@shipway/api/oversight/metrics'
import type { Slots } from '../../domain/metrics/resolutions.ts'
import type { StoredServerSample } from '../../store/metrics/server-samples.ts'
import type { StoredServiceSample } from '../../store/metrics/service-samples.ts'
import { presentTime } from './time.ts'

export function presentEnvironmentMetrics(slots: Slots, samples: readonly StoredServiceSample[]): EnvironmentMetrics {
  const byService = [...Map.groupBy(samples, ({ service }) => service)]
  return {
    ...presentSlots(slots),
    services: byService
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, own]) => ({
        name,
        cpu: series(slots, own, ({ cpu }) => cpu),
        memory_bytes: series(slots, own, ({ memoryBytes }) => memoryBytes),
        // A service that has ended just now had one.
        memory_limit_bytes: own.findLast(({ memoryBytes }) => memoryBytes !== null)?.memoryLimitBytes ?? null,
        network_in: series(slots, own, ({ networkIn }) => networkIn),
        network_out: series(slots, own, ({ networkOut }) => networkOut),
        restarts: own.reduce((sum, { restarts }) => sum + restarts, 0),
        oom_kills: own.reduce((sum, { oomKills }) => sum + oomKills, 0),
      })),
  }
}

export function presentServerMetrics(slots: Slots, samples: readonly StoredServerSample[]): ServerMetrics {
  const last = samples.at(-1)
  return {
    ...presentSlots(slots),
    cores: last?.cores ?? null,
    cpu: series(slots, samples, ({ cpu }) => cpu),
    memory_bytes: series(slots, samples, ({ memoryBytes }) => memoryBytes),
    memory_total_bytes: last?.memoryTotalBytes ?? null,
    load: series(slots, samples, ({ load }) => load),
    disk_bytes: series(slots, samples, ({ diskBytes }) => diskBytes),
    disk_total_bytes: last?.diskTotalBytes ?? null,
  }
}

const presentSlots = ({ step, from }: Slots) => ({ step_seconds: step, from: presentTime(from) })

type Read<Sample> = (sample: Sample) => number | null

function series<Sample extends { readonly at: number }>(
  { step, from, count }: Slots,
  samples: readonly Sample[],
  read: Read<Sample>,
): (number | null)[] {
  const list = Array<number | null>(count).fill(null)
  for (const sample of samples) {
    const index = (sample.at - from) / (step * 1000)
    if (index >= 0 && index < count) list[index] = read(sample)
  }
  return list
}
