// Limits and reservations of a task: those of the compose file where they are lower than the platform's, else the platform's.
import type { ComposeLimits, ComposeService, JsonObject } from '@shipway/rules/compose/model'
import { objectOf } from '@shipway/rules/compose/policy/policy-rules'
import { bytesOf } from '@shipway/rules/compose/read-compose-model'

export function stackResources({ limits: own, definition }: ComposeService, platform: ComposeLimits): JsonObject {
  const limits = {
    cpus: lowest(own.cpus, platform.cpus),
    memory: lowest(own.memoryBytes, platform.memoryBytes),
    pids: lowest(own.processes, platform.processes),
  }
  const wanted = objectOf(objectOf(objectOf(definition.deploy).resources).reservations)
  const cpus = Number(wanted.cpus ?? 0)
  const memory = sizeOf(wanted.memory) ?? sizeOf(definition.mem_reservation) ?? 0
  // Docker starts no container that reserves more than it may have.
  const reserved = {
    cpus: cpus > 0 ? lowest(cpus, limits.cpus) : null,
    memory: memory > 0 ? lowest(memory, limits.memory) : null,
  }
  return {
    limits: {
      ...(limits.cpus === null ? {} : { cpus: String(limits.cpus) }),
      ...(limits.memory === null ? {} : { memory: String(limits.memory) }),
      ...(limits.pids === null ? {} : { pids: limits.pids }),
    },
    reservations: {
      ...(reserved.cpus === null ? {} : { cpus: String(reserved.cpus) }),
      ...(reserved.memory === null ? {} : { memory: String(reserved.memory) }),
    },
  }
}

function lowest(own: number | null, other: number | null): number | null {
  const given = [own, other].filter((limit) => limit !== null)
  return given.length === 0 ? null : Math.min(...given)
}

const sizeOf = (value: unknown): number | null =>
  typeof value === 'string' || typeof value === 'number' ? bytesOf(String(value)) : null
