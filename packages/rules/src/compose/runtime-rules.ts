// What each runtime makes of a compose file, beside what the policy says for all of them.
import type { RuntimeName } from '@shipway/api/values/runtime'
import type { Note } from './adapt/note.ts'
import type { ComposeModel, Refusal } from './model.ts'
import type { Capability } from './policy/capabilities.ts'
import { checkSwarm, type SwarmCheck } from './swarm/check-swarm.ts'
import { swarmNotes } from './swarm/swarm-notes.ts'

type RuntimeRules = {
  /** The grants that count. */
  readonly grants: (granted: ReadonlySet<Capability>) => ReadonlySet<Capability>
  /** What it cannot run, of a model whose mounts are in their places. */
  readonly refusals: (model: ComposeModel, check: SwarmCheck) => readonly Refusal[]
  /** What it runs in another way, which is harmless. */
  readonly notes: (model: ComposeModel) => readonly Note[]
}

export const RUNTIME_RULES: Readonly<Record<RuntimeName, RuntimeRules>> = {
  compose: { grants: (granted) => granted, refusals: () => [], notes: () => [] },
  swarm: { grants: grantsOnSwarm, refusals: checkSwarm, notes: swarmNotes },
}

/** What owners have granted, as far as it counts on a Swarm. The others would keep what a Swarm cannot do, and what is left out there. */
function grantsOnSwarm(granted: ReadonlySet<Capability>): ReadonlySet<Capability> {
  const kept = [...granted].filter((name) => name.startsWith('external_') || KEPT_TO_REFUSE.has(name))
  return new Set<Capability>([...kept, ...(granted.has('host_ports') ? (['public_ports'] as const) : [])])
}

/** An owner has asked for them, so they are not left out quietly. */
const KEPT_TO_REFUSE: ReadonlySet<Capability> = new Set(['host_ports', 'container_names'])

/** The refusals of the policy and of the runtime. Where both refuse a key, the sentence that offers no grant stays. */
export function mergeRefusals(policy: readonly Refusal[], runtime: readonly Refusal[]): Refusal[] {
  const isSame = (key: string, other: string): boolean =>
    key === other || (key.startsWith(other) && ['.', '['].includes(key[other.length] ?? ''))
  return [...policy.filter(({ key }) => !runtime.some((other) => isSame(key, other.key))), ...runtime]
}
