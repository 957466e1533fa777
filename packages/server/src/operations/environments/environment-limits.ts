// What was set for the containers of an environment, as a change asks for it and as the records keep it.
import type { Limits as RequestedLimits } from '@shipway/api/values/limits'
import type { ComposeLimits } from '@shipway/rules/compose/model'
import type { Updateable } from 'kysely'
import type { Tables } from '../../store/tables/tables.ts'

/** The limits after the change: omitted fields stay, null restores the default. */
export function changedLimits(own: ComposeLimits, requested: RequestedLimits | null): ComposeLimits {
  if (requested === null) return { cpus: null, memoryBytes: null, processes: null }
  const { cpus = own.cpus, memory_mb: mebibytes, processes = own.processes } = requested
  const memoryBytes = mebibytes === undefined ? own.memoryBytes : mebibytes && mebibytes * 1024 ** 2
  return { cpus, memoryBytes, processes }
}

export function limitColumns({ cpus, memoryBytes, processes }: ComposeLimits): Updateable<Tables['environments']> {
  return {
    cpu_limit_thousandths: cpus === null ? null : Math.round(cpus * 1000),
    memory_limit_bytes: memoryBytes,
    process_limit: processes,
  }
}

export function wouldChange(own: ComposeLimits, requested: RequestedLimits | null): boolean {
  const { cpus, memoryBytes, processes } = changedLimits(own, requested)
  return cpus !== own.cpus || memoryBytes !== own.memoryBytes || processes !== own.processes
}
