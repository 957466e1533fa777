// What owners have granted, as far as it counts on a Swarm.
import type { Capability } from '../policy/capabilities.ts'

/** The others would keep what a Swarm cannot do, and what is left out there. */
export function grantsOnSwarm(granted: ReadonlySet<Capability>): ReadonlySet<Capability> {
  const kept = [...granted].filter((name) => name.startsWith('external_') || KEPT_TO_REFUSE.has(name))
  return new Set<Capability>([...kept, ...(granted.has('host_ports') ? (['public_ports'] as const) : [])])
}

/** An owner has asked for them, so they are not left out quietly. */
const KEPT_TO_REFUSE: ReadonlySet<Capability> = new Set(['host_ports', 'container_names'])
